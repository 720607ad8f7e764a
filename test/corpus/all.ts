import type { CorpusCase } from './case.ts';
import { embeddingCases } from './embeddings.ts';
import { errorBodyCases } from './errorBodies.ts';
import { streamCases } from './streams.ts';
import { toolCallCases } from './toolCalls.ts';

/** Every case there is. */
export const corpus: readonly CorpusCase[] = [...streamCases, ...toolCallCases, ...errorBodyCases, ...embeddingCases];

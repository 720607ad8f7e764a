import { existsSync } from 'node:fs';
import type { CorpusCase } from './case.ts';

/** Every case there is. */
export const corpus: readonly CorpusCase[] = (
  await Promise.all(
    ['streams', 'toolCalls', 'errorBodies', 'embeddings']
      .filter((name) => existsSync(`${import.meta.dirname}/${name}.ts`))
      .map((name) => import(`./${name}.ts`) as Promise<Record<string, unknown>>),
  )
).flatMap((module) => Object.values(module).filter(Array.isArray).flat() as CorpusCase[]);

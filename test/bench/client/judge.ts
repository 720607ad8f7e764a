import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../../src/base/errors.ts';
import type { CorpusCase, Expected } from '../../corpus/case.ts';
import type { Answer } from './answer.ts';

/**
 * `wrong said`: the client threw where the answer was good, or threw without the service's words, the text that came
 * before, or (Parley alone, which has kinds) with a wrong kind. `wrong silent`: it gave as a success what is none, or what
 * is not what the service sent.
 */
export type Verdict = 'right' | 'wrong said' | 'wrong silent' | 'not offered';

/** @param error what the client threw; undefined when it gave the answer as a success */
export function judge({ expected }: CorpusCase, answer: Answer, error: unknown): { verdict: Verdict; why: string } {
  if (error === undefined) {
    const why = expected.ok ? differences(expected, answer) : ['no error'];
    return { verdict: why.length === 0 ? 'right' : 'wrong silent', why: why.join(', ') };
  }
  const message = messageOf(error);
  if (expected.ok) return { verdict: 'wrong said', why: `threw: ${message.slice(0, 80)}` };
  const why: string[] = [];
  if (error instanceof ServiceError && ![expected.kind].flat().includes(error.kind)) why.push(`kind ${error.kind}`);
  if (expected.says !== undefined && !message.includes(expected.says)) why.push(`says: ${message.slice(0, 80)}`);
  if (expected.partial !== undefined && (answer.texts[0] ?? '') !== expected.partial)
    why.push(`text: ${answer.texts[0] ?? ''}`);
  return { verdict: why.length === 0 ? 'right' : 'wrong said', why: why.join(', ') };
}

function differences(expected: Extract<Expected, { ok: true }>, answer: Answer): string[] {
  const wrong: string[] = [];
  const { text, reasoning, toolCalls, functionCall, finishReason, usage, vectors } = expected;
  if (text !== undefined) {
    const texts = typeof text === 'string' ? [text] : text;
    if (!texts.every((each, choice) => each === (answer.texts[choice] ?? ''))) wrong.push('text');
  }
  if (reasoning !== undefined && answer.reasoning !== reasoning) wrong.push('reasoning');
  if (toolCalls !== undefined && !sameCalls(toolCalls, answer.toolCalls)) wrong.push('tool calls');
  if (functionCall !== undefined && !sameCalls([functionCall], answer.functionCall ? [answer.functionCall] : []))
    wrong.push('function call');
  // Clients differ in whether they translate a reason; none at all is a loss.
  if (finishReason !== undefined && !answer.finishReason) wrong.push('finish reason');
  if (usage !== undefined && !isDeepStrictEqual(answer.usage ?? 'unknown', usage)) wrong.push('usage');
  if (vectors !== undefined && !sameVectors(vectors, answer.vectors ?? [])) wrong.push('vectors');
  return wrong;
}

type Call = { id?: string; name: string; arguments: string };

function sameCalls(expected: readonly Call[], got: readonly Call[]): boolean {
  return (
    expected.length === got.length &&
    expected.every((call, place) => {
      const other = got[place];
      const sameId = call.id === undefined || call.id === other?.id;
      return other !== undefined && sameId && call.name === other.name && sameJson(call.arguments, other.arguments);
    })
  );
}

/** The same text, or the same JSON: a client may write it anew. */
function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

/** As float32, which is what a service computes in. */
function sameVectors(expected: readonly (readonly number[])[], got: readonly ArrayLike<number>[]): boolean {
  return (
    expected.length === got.length &&
    expected.every((vector, place) => isDeepStrictEqual(Float32Array.from(vector), Float32Array.from(got[place] ?? [])))
  );
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  return typeof message === 'string' ? message : '';
}

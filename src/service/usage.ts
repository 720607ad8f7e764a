import type { Usage } from './completion.ts';

/**
 * Usage with the members the service gave (service-api.md 2.6); what it did not give stays unknown, never 0. Undefined
 * when it gave none.
 */
export function readUsage(raw: unknown): Usage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const given = raw as Record<string, unknown>;
  const usage: Usage = {};
  let isKnown = false;
  for (const [member, field] of members) {
    const value = given[field];
    if (typeof value !== 'number') continue;
    usage[member] = value;
    isKnown = true;
  }
  return isKnown ? usage : undefined;
}

const members = [
  ['promptTokens', 'prompt_tokens'],
  ['completionTokens', 'completion_tokens'],
  ['totalTokens', 'total_tokens'],
  ['queueTime', 'queue_time'],
  ['promptTime', 'prompt_time'],
  ['completionTime', 'completion_time'],
  ['totalTime', 'total_time'],
  // Ollama's own names.
  ['promptTokens', 'prompt_eval_count'],
  ['completionTokens', 'eval_count'],
] as const satisfies readonly (readonly [keyof Usage, string])[];

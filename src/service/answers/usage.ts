/** Tokens, and seconds where the service gives times. A member is absent when the service did not say: unknown is not 0. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  /** Prompt tokens that the service had cached. */
  cachedTokens?: number;
  /** Written tokens that are thoughts. */
  reasoningTokens?: number;
  queueTime?: number;
  promptTime?: number;
  completionTime?: number;
  totalTime?: number;
  /** What the request cost, in the service's own unit. */
  cost?: number;
}

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
    if (!isCount(value)) continue;
    usage[member] = value;
    isKnown = true;
  }
  const cached = countIn(given['prompt_tokens_details'], 'cached_tokens');
  const thought = countIn(given['completion_tokens_details'], 'reasoning_tokens');
  if (isKnown && cached !== undefined) usage.cachedTokens = cached;
  if (isKnown && thought !== undefined) usage.reasoningTokens = thought;
  return isKnown ? usage : undefined;
}

function countIn(details: unknown, field: string): number | undefined {
  const value = (details as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  return isCount(value) ? value : undefined;
}

/** Some services write -1 for what they do not know. */
function isCount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

const members = [
  ['promptTokens', 'prompt_tokens'],
  ['completionTokens', 'completion_tokens'],
  ['totalTokens', 'total_tokens'],
  ['queueTime', 'queue_time'],
  ['promptTime', 'prompt_time'],
  ['completionTime', 'completion_time'],
  ['totalTime', 'total_time'],
  ['cost', 'cost'],
  // Ollama's own names.
  ['promptTokens', 'prompt_eval_count'],
  ['completionTokens', 'eval_count'],
] as const satisfies readonly (readonly [keyof Usage, string])[];

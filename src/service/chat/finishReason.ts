const meanings: Record<string, string> = {
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  stop_token: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  max_tokens: 'length',
  max_length: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_use: 'tool_calls',
  tool_call: 'tool_calls',
  safety: 'content_filter',
  recitation: 'content_filter',
  content_filtered: 'content_filter',
};
const ownTerms = new Set(['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error']);

/** A reason in the terms of the document; an unknown one stays as it came. */
export function finishReason(raw: string): string {
  const lower = raw.toLowerCase();
  if (ownTerms.has(lower)) return lower;
  return Object.hasOwn(meanings, lower) ? (meanings[lower] ?? raw) : raw;
}

import { type Completion, callId } from './completion.ts';
import { isObject, type Json } from './fields.ts';
import type { Settings } from './options.ts';
import { badField, hashText } from './replies.ts';

/** What the model "thinks" before it answers; undefined for a service whose models do not think. */
export function thoughtOf(completion: Completion, { thoughts }: Settings): string | undefined {
  return thoughts === undefined ? undefined : `Thought ${hashText(completion.head.id).toString(16)}.`;
}

/** Remembers by call what was thought before it. */
export function rememberThought(completion: Completion, settings: Settings): void {
  const thought = thoughtOf(completion, settings);
  for (const choice of completion.choices) {
    for (const [index] of choice.calls.entries()) {
      if (thought !== undefined) settings.thoughtsByCall.set(callId(completion, index), thought);
    }
  }
}

/**
 * A message that calls tools has to say what the model thought before, as DeepSeek and Moonshot want it. Of a call that
 * this service never made, anything that is not empty will do.
 * @throws Refusal 400
 */
export function checkThoughts(request: Json, { thoughts, thoughtsByCall }: Settings): void {
  if (thoughts === undefined) return;
  for (const [index, message] of (request.messages as unknown[]).entries()) {
    if (!isObject(message) || !Array.isArray(message.tool_calls)) continue;
    const said = message[thoughts];
    const [call] = message.tool_calls.filter(isObject);
    const expected = thoughtsByCall.get(String(call?.id));
    if (typeof said === 'string' && (expected === undefined ? said !== '' : said === expected)) continue;
    throw badField(`messages[${index}]`, `The \`${thoughts}\` in the thinking mode must be passed back to the API.`);
  }
}

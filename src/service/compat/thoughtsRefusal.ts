import type { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';

/** The field of an adjustment that is about thoughts in the messages; no request has a field of this name. */
export const thoughtsField = 'messages.thoughts';

type Body = Readonly<Record<string, unknown>>;

const fields = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_details'];
const namesThoughts = /(?<!\w)(?:reasoning_content|reasoning_details|reasoning|thinking)(?!\w)/;
const wantsThem = /must (?:be|have|include|contain)|missing|required|pass(?:ed)? back/i;
const refusesThem =
  /unrecogni[sz]ed|unknown|unexpected|extra (?:inputs?|fields?)|extra_forbidden|additional propert|unsupported|(?:not|n't) (?:be )?(?:supported|permitted|allowed|included|accepted)/i;

/**
 * The change to thoughts that a service refused in a message, or missed. DeepSeek and Moonshot refuse a call of a
 * tool without its thoughts; a call that another model made has none that are known, and gets a blank.
 */
export function thoughtsAdjustment(
  error: ServiceError,
  body: Body,
  made: readonly Adjustment[],
): Adjustment | undefined {
  const [named] = namesThoughts.exec(`${error.param ?? ''} ${error.message}`) ?? [];
  // A top-level field of that name is more likely meant than one in the messages.
  if (named === undefined || body[named] !== undefined) return undefined;
  if (made.some(({ field }) => field === thoughtsField)) return undefined;
  if (refusesThem.test(error.message)) return messagesOf(body).some(hasThoughts) ? { field: thoughtsField } : undefined;
  if (!wantsThem.test(error.message) || !messagesOf(body).some(lacksThoughts)) return undefined;
  return { field: thoughtsField, renamedTo: 'reasoning_content' };
}

/** The messages without thoughts, or with a blank where they are missing; the same body when there is nothing to change. */
export function adjustThoughts(body: Body, { renamedTo }: Adjustment): Body {
  const concerns = renamedTo === undefined ? hasThoughts : lacksThoughts;
  const messages = messagesOf(body);
  if (!messages.some(concerns)) return body;
  return { ...body, messages: messages.map((each) => (concerns(each) ? change(each, renamedTo) : each)) };
}

function change(message: unknown, blank: string | undefined): object {
  const entries = Object.entries(message as object);
  if (blank !== undefined) return { ...(message as object), [blank]: ' ' };
  return Object.fromEntries(entries.filter(([name]) => !fields.includes(name)));
}

function messagesOf(body: Body): readonly unknown[] {
  return Array.isArray(body['messages']) ? body['messages'] : [];
}

function hasThoughts(message: unknown): boolean {
  return isPlainObject(message) && fields.some((field) => message[field] !== undefined);
}

function lacksThoughts(message: unknown): boolean {
  return isPlainObject(message) && message['tool_calls'] !== undefined && message['reasoning_content'] === undefined;
}

import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';
import { thoughtsAdjustment } from './thoughtsRefusal.ts';

/** Fields that are never left out: without them a request is another one. */
const needed: ReadonlySet<string> = new Set(['model', 'messages', 'tools', 'functions']);

/** Two names of one field: the older, and the one that some models insist on. */
const otherName: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** Words of a service that does not know a field at all; a value it does not like is described in others. */
const refusalWords =
  /unrecogni[sz]ed|unknown|unexpected|no such|extra (inputs?|fields?)|extra_forbidden|additional propert|(not|n't|no longer)( yet| currently)? (be )?(supported|permitted|allowed|available|implemented|enabled|accepted|recogni[sz]ed|a valid)|(not|n't|no longer)( yet| currently)? support|unsupported (parameter|field|argument|option|property|key|param)|only the default|deprecated|use ['"`]?\w+['"`]? instead/i;

/** Field names that are English words as well: they count only where the text marks them as a name. */
const words: ReadonlySet<string> = new Set(['n', 'stop', 'stream', 'user']);

/**
 * The change to a request that a service refused for one of its fields: 400 or 422, and a text that names the field
 * as unknown or unsupported. Undefined when it was refused for something else, such as the value of a field.
 * @param body the request as it was sent
 * @param made what was changed about it before
 */
export function adjustmentFor(
  error: unknown,
  body: Readonly<Record<string, unknown>>,
  made: readonly Adjustment[],
): Adjustment | undefined {
  if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 422)) return undefined;
  const thoughts = thoughtsAdjustment(error, body, made);
  if (thoughts !== undefined) return thoughts;
  const field = refusedField(error, body);
  if (field === undefined) return undefined;
  if (field === 'response_format' && asksForSchema(body)) return { field, renamedTo: 'json_object' };
  // The other name was refused as well: the field is left out.
  const origin = made.find((each) => each.renamedTo === field);
  if (origin !== undefined) return { field: origin.field };
  const other = Object.hasOwn(otherName, field) ? otherName[field] : undefined;
  return other === undefined || body[other] !== undefined ? { field } : { field, renamedTo: other };
}

function refusedField(error: ServiceError, body: Readonly<Record<string, unknown>>): string | undefined {
  const root = /^(?:body\.)?(\w+)/.exec(error.param ?? '')?.[1] ?? '';
  if (needed.has(root)) return undefined;
  const sent = Object.keys(body).filter((name) => !needed.has(name) && body[name] !== undefined);
  const named = sent.filter((name) => name === root || names(error.message, name, body));
  return named.find((name) => refusalWords.test(error.message) || cannotBeAsked(name, body));
}

/** A value of these asks for an ability: a service that objects to it does not have it. */
function cannotBeAsked(name: string, body: Readonly<Record<string, unknown>>): boolean {
  return name === 'n' ? body['n'] !== 1 : name === 'response_format' && asksForSchema(body);
}

function asksForSchema(body: Readonly<Record<string, unknown>>): boolean {
  const format = body['response_format'];
  return isPlainObject(format) && format['type'] === 'json_schema';
}

function names(message: string, field: string, body: Readonly<Record<string, unknown>>): boolean {
  if (field === 'response_format' && asksForSchema(body) && /json_schema|response format/i.test(message)) return true;
  if (field === 'stream' && /\bstreaming\b/i.test(message)) return true;
  const name = field.replace(/\W/g, '\\$&');
  if (!words.has(field)) return new RegExp(`(?<![\\w.])${name}(?!\\w)|body\\.${name}(?!\\w)`).test(message);
  const marks = '["\'`“‘]|body\\.|(?:parameter|argument|field|property|option|input|supplied|key)s?:? ["\'`]?';
  return new RegExp(`(?:${marks})${name}(?!\\w)`, 'i').test(message);
}

import { ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import type { Adjustment } from './fieldMemory.ts';
import { messageAdjustment } from './messageRefusal.ts';
import { toolAdjustment } from './refusedTool.ts';
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
  /unrecogni[sz]ed|unknown|unexpected|no such|extra (inputs?|fields?)|extra_forbidden|additional propert|(not|n't|no longer)( yet| currently)? (be )?(supported|permitted|allowed|available|implemented|enabled|accepted|recogni[sz]ed|a valid)|(not|n't|no longer)( yet| currently)? support|unsupported (parameter|value|field|argument|option|property|key|param)|only the default|deprecated|must be verified|(?:cannot|can.t|must not) both\b|should be none\b|only (?:\W?\w{1,20}\W? (?:and|or) )?\W?\w{1,20}\W? (?:is|are) (?:supported|allowed)|only supports? \W?\w{1,40}\W? ?=|use ['"`]?\w+['"`]? instead|不支持|不允许|未知|サポートされて|지원(?:하지|되지)|nicht unterstützt|pas (?:supporté|pris en charge)|no (?:es )?(?:compatible|admite)/i;
/** Codes of a service for a field, or any value of it but one, that it does not take. */
const refusalCodes = /unsupported|unknown|unrecogni[sz]ed|not_(?:supported|permitted|allowed)|extra_forbidden/i;
/** Words of a service for a schema that it has read. */
const faultOfSchema = /invalid (?:json )?schema|schema is (?:not valid|invalid)/i;
/** Statuses of a refusal; what a server's own code could not take comes with 5xx, as errorKind tells. */
const refusalStatuses: ReadonlySet<number | undefined> = new Set([400, 422, 424]);

/** Field names that are English words as well: they count only where the text marks them as a name. */
const words: ReadonlySet<string> = new Set(['n', 'stop', 'stream', 'user']);

/**
 * The change to a request that a service refused for one of its fields, with a text that names the field as unknown or
 * unsupported, or for the roles of its messages. Undefined when it was refused for something else, such as the value of a field.
 * @param body the request as it was sent
 * @param made what was changed about it before
 */
export function adjustmentFor(
  error: unknown,
  body: Readonly<Record<string, unknown>>,
  made: readonly Adjustment[],
): Adjustment | undefined {
  if (!(error instanceof ServiceError) || !isRefusal(error)) return undefined;
  const other =
    messageAdjustment(error, body, made) ?? thoughtsAdjustment(error, body, made) ?? toolAdjustment(error, body);
  if (other !== undefined) return other;
  const wanted = wantedValue(error.message, body, made);
  if (wanted !== undefined) return wanted;
  // A service that reads the schema and finds a fault in it does hold answers to others.
  if (asksForSchema(body) && faultOfSchema.test(error.message)) return undefined;
  const field = refusedField(error, body);
  if (field === undefined) return undefined;
  if (field === 'response_format' && asksForSchema(body)) return { field, renamedTo: 'json_object' };
  // The other name was refused as well: the field is left out.
  const origin = made.find((each) => each.renamedTo === field);
  if (origin !== undefined) return { field: origin.field };
  const renamed = Object.hasOwn(otherName, field) ? otherName[field] : undefined;
  return renamed === undefined || body[renamed] !== undefined ? { field } : { field, renamedTo: renamed };
}

function isRefusal({ status, kind }: ServiceError): boolean {
  return refusalStatuses.has(status) || (status !== undefined && status >= 500 && kind === 'bad-request');
}

const literal = '["\'`]?(true|false|-?\\d{1,9}(?:\\.\\d{1,9})?)["\'`]?';
const mustBe = new RegExp(
  `([a-z]\\w{0,40})["'\`]? (?:must|has to|should) (?:be )?(?:set to |equal(?: to)? )?${literal}(?![\\w-]|[.,]\\d| (?:or|to|and|if))`,
  'i',
);
const onlyOne = new RegExp(
  `([a-z]\\w{0,40})["'\`]?[:,]? (?:\\w+ ){0,2}?only (?:the value )?${literal} (?:is|are) (?:allowed|supported|accepted|valid)`,
  'i',
);
const onlyStreams =
  /only supports? (?:the )?stream|support(?:s|ed)? stream(?:ing)? mode only|non-stream(?:ing)?\b.{0,40}\bnot (?:be )?(?:supported|allowed)/i;

/**
 * The one value of a field that a service takes. A field that may be left out is left out first, and set where that did not help;
 * one that was not sent (`enable_thinking must be set to false for non-streaming calls`) is set at once.
 */
function wantedValue(
  message: string,
  body: Readonly<Record<string, unknown>>,
  made: readonly Adjustment[],
): Adjustment | undefined {
  if (!Array.isArray(body['messages'])) return undefined;
  if (onlyStreams.test(message) && body['stream'] === false) return { field: 'stream', value: true };
  const found = mustBe.exec(message) ?? onlyOne.exec(message);
  if (found === null) return undefined;
  const [, field = '', text = ''] = found;
  const value = text === 'true' || text === 'false' ? text === 'true' : Number(text);
  if (
    needed.has(field) ||
    (!/[a-z]_[a-z]|^(?:temperature|n|seed|stream|store)$/.test(field) && body[field] === undefined)
  )
    return undefined;
  if (body[field] === value || made.some((each) => each.field === field && each.value !== undefined)) return undefined;
  const isSet = body[field] === undefined || (field === 'stream' && value === true);
  return isSet ? { field, value } : { field };
}

function refusedField(error: ServiceError, body: Readonly<Record<string, unknown>>): string | undefined {
  const root = /^(?:body\.)?(\w+)/.exec(error.param ?? '')?.[1] ?? '';
  if (needed.has(root)) return undefined;
  const sent = Object.keys(body).filter((name) => !needed.has(name) && body[name] !== undefined);
  const named = sent.filter((name) => name === root || names(error.message, name, body));
  const isRefused = refusalWords.test(error.message);
  return named.find(
    (name) => isRefused || cannotBeAsked(name, body) || (name === root && refusalCodes.test(error.code)),
  );
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
  if (field === 'stream' && /\b(?:streaming|to stream)\b/i.test(message)) return true;
  const name = field.replace(/\W/g, '\\$&').replaceAll('_', '[_ -]?');
  if (!words.has(field)) return new RegExp(`(?<![\\w.])${name}(?!\\w)|body\\.${name}(?!\\w)`, 'i').test(message);
  const marks = '["\'`“‘]|body\\.|(?:parameter|argument|field|property|option|input|supplied|key)s?:? ["\'`]?';
  return new RegExp(`(?:${marks})${name}(?!\\w)`, 'i').test(message);
}

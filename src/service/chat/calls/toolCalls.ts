import { isJson, isPlainObject, jsonText } from '../../../base/jsonText.ts';
import type { ToolCall } from '../completion.ts';

/** The most calls of one choice, and the longest arguments: a runaway service must not take the memory. */
const maxCalls = 128;
export const maxArgumentsLength = 4 * 1024 * 1024;
/** The longest name or id, in characters. */
export const maxNameLength = 1_024;
/** The most times a call's arguments are checked for being whole, and the longest arguments that are checked. */
const maxChecks = 16;
const maxCheckedLength = 64 * 1024;
/** The longest `extra_content` of a call, in characters of JSON. */
const maxExtraLength = 256 * 1024;

export interface CallTracker {
  /** Takes the `tool_calls` of a delta; of a whole message when `whole`, where each element is a call of its own. */
  take(items: unknown, whole: boolean): void;
  readonly size: number;
  /** The calls as far as they have come. */
  begun(): readonly Pick<ToolCall, 'name' | 'arguments'>[];
  /** The calls in the order they began. */
  calls(): ToolCall[];
}

interface Call extends ToolCall {
  index: number | undefined;
  checks: number;
}

interface RawCall {
  index?: unknown;
  id?: unknown;
  name?: unknown;
  arguments?: unknown;
  /** Gemini's signature of its thoughts is in here: without it the next request is refused. */
  extra_content?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

/**
 * Puts tool calls together from their pieces. A piece belongs to the call with its id, else to the latest call with its
 * index, else to the latest call. Servers repeat ids, names and whole calls, count from 1, count not at all, or give one
 * index to all; arguments may come as an object.
 * @param onDelta told what was added to a call
 * @param onBroken called when a bound is passed; must throw
 */
export function createCallTracker(
  onDelta: (call: number, name: string, added: string) => void,
  onBroken: () => never,
): CallTracker {
  const calls: Call[] = [];

  function begin(id: string, index: number | undefined): Call {
    if (calls.length >= maxCalls) onBroken();
    const call: Call = { id, name: '', arguments: '', index, checks: 0 };
    calls.push(call);
    return call;
  }

  function find(id: string, index: number | undefined, name: string, args: string): Call {
    const sameId = id === '' ? undefined : calls.find((call) => call.id === id);
    const sameIndex = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
    if (sameId !== undefined) {
      // The id of another call may be repeated, for a call at another place with a name and arguments of its own.
      const isOther = index !== undefined && sameId.index !== undefined && index !== sameId.index;
      return isOther && beginsAnew(sameId, name, args) ? begin('', index) : sameId;
    }
    if (id !== '') {
      // The call began without its id.
      if (sameIndex?.id === '' && !beginsAnew(sameIndex, name, args)) return Object.assign(sameIndex, { id });
      return begin(id, index);
    }
    if (sameIndex === undefined || beginsAnew(sameIndex, name, args)) return begin('', index);
    return sameIndex;
  }

  /** Whether a piece without an id of its own is the beginning of another call than the one it would belong to. */
  function beginsAnew(call: Call, name: string, args: string): boolean {
    if (name === '' || call.name === '') return false;
    if (name !== call.name && call.index === undefined) return true;
    if (args !== '' && args === call.arguments) return false;
    return (name !== call.name || isObjectText(args)) && isWhole(call);
  }

  function isWhole(call: Call): boolean {
    const { length } = call.arguments;
    if (length > maxCheckedLength || call.checks++ >= maxChecks) return false;
    return isObjectText(call.arguments) && isJson(call.arguments);
  }

  function takeItem(item: unknown, isOwnCall: boolean): void {
    if (typeof item !== 'object' || item === null) return;
    const raw = item as RawCall;
    const id = typeof raw.id === 'string' ? raw.id : '';
    // Some count from -1; that says as little as no number.
    const index = typeof raw.index === 'number' && !(raw.index < 0) ? raw.index : undefined;
    if (index !== undefined && !(index <= maxCalls)) onBroken();
    const body = typeof raw.function === 'object' && raw.function !== null ? raw.function : raw;
    const name = typeof body.name === 'string' ? body.name : '';
    if (id.length > maxNameLength || name.length > maxNameLength) onBroken();
    const args = argumentsText(body.arguments, onBroken);
    const isFresh = isOwnCall && (id === '' || calls.some((call) => call.id === id));
    const call = isFresh ? begin('', index) : find(id, index, name, args);
    addName(call, name);
    const added = addArguments(call, args, typeof body.arguments === 'object', id !== '' || name !== '');
    if (call.arguments.length > maxArgumentsLength || call.name.length > maxNameLength) onBroken();
    if (isPlainObject(raw.extra_content) && (jsonText(raw.extra_content)?.length ?? Infinity) <= maxExtraLength) {
      call.extraContent = raw.extra_content;
    }
    onDelta(calls.indexOf(call), call.name, added);
  }

  return {
    take(items, whole) {
      // Some streams have the call itself in the place of a list.
      for (const item of Array.isArray(items) ? items : isPlainObject(items) ? [items] : []) takeItem(item, whole);
    },
    get size() {
      return calls.length;
    },
    begun: () => calls,
    calls: () =>
      calls.map((call) => {
        if (call.name === '') onBroken();
        const { name, extraContent } = call;
        // Nine letters and digits, which services of every rule take back.
        const id = call.id || crypto.randomUUID().replaceAll('-', '').slice(0, 9);
        return { id, name, arguments: call.arguments, ...(extraContent === undefined ? {} : { extraContent }) };
      }),
  };
}

/** Adds to a name, which comes whole, repeated, or in pieces; once there are arguments it is final. */
function addName(call: Call, name: string): void {
  if (name !== call.name && call.arguments === '') call.name += name;
}

/**
 * Adds to the arguments, unless they are a repetition of what is there: of the whole, or of a call that says all of
 * itself again each time. Gives what is new.
 */
function addArguments(call: Call, args: string, isObject: boolean, saysWho: boolean): string {
  const had = call.arguments;
  // Lengths first: to look into a text that has grown piece by piece costs its whole length.
  const mayRepeat = args.length >= had.length;
  if (mayRepeat && args === had && args !== '' && (saysWho || isObject || isJson(had))) return '';
  if (isObject || (saysWho && mayRepeat && isObjectStart(had) && args.startsWith(had))) {
    if (args === '') return '';
    call.arguments = args;
    return mayRepeat && args.startsWith(had) ? args.slice(had.length) : args;
  }
  call.arguments += args;
  return args;
}

/** The arguments as text; a service may send them as an object. */
export function argumentsText(value: unknown, onBroken: () => never): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (jsonText(value) ?? onBroken());
}

function isObjectStart(text: string): boolean {
  return text.length > 1 && text.startsWith('{');
}

function isObjectText(text: string): boolean {
  return text.startsWith('{') && text.trimEnd().endsWith('}');
}

import type { ToolCall } from './completion.ts';
import { isJson } from './events.ts';
import { jsonText } from './jsonText.ts';

/** Calls of one choice, and their arguments, have bounds: a runaway service must not take the memory. */
const maxCalls = 128;
const maxArgumentsLength = 16 * 1024 * 1024;
/** How often it is looked whether the arguments of a call are whole. */
const maxChecks = 64;

export interface CallTracker {
  /** Takes the `tool_calls` of a delta; of a whole message when `whole`, where each element is a call of its own. */
  take(items: unknown, whole: boolean): void;
  readonly size: number;
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
      // The id of another call given again: to a call that stands at another place, with a name and arguments of its own.
      const isOther = index !== undefined && sameId.index !== undefined && index !== sameId.index;
      return isOther && beginsAnew(sameId, name, args) ? begin('', index) : sameId;
    }
    if (id !== '') {
      // A call that began without its id.
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
    return isObjectText(call.arguments) && call.checks++ < maxChecks && isJson(call.arguments);
  }

  function takeItem(item: unknown, isOwnCall: boolean): void {
    if (typeof item !== 'object' || item === null) return;
    const raw = item as RawCall;
    const id = typeof raw.id === 'string' ? raw.id : '';
    const index = typeof raw.index === 'number' ? raw.index : undefined;
    if (index !== undefined && !(index >= 0 && index <= maxCalls)) onBroken();
    const body = typeof raw.function === 'object' && raw.function !== null ? raw.function : raw;
    const name = typeof body.name === 'string' ? body.name : '';
    const args = argumentsText(body.arguments, onBroken);
    const isFresh = isOwnCall && (id === '' || calls.some((call) => call.id === id));
    const call = isFresh ? begin('', index) : find(id, index, name, args);
    addName(call, name);
    const added = addArguments(call, args, typeof body.arguments === 'object', id !== '' || name !== '');
    if (call.arguments.length > maxArgumentsLength) onBroken();
    onDelta(calls.indexOf(call), call.name, added);
  }

  return {
    take(items, whole) {
      if (!Array.isArray(items)) return;
      for (const item of items) takeItem(item, whole);
    },
    get size() {
      return calls.length;
    },
    calls: () =>
      calls.map((call) => {
        if (call.name === '') onBroken();
        return { id: call.id || `call_${crypto.randomUUID()}`, name: call.name, arguments: call.arguments };
      }),
  };
}

/** A name comes whole, is repeated, or comes in pieces; once there are arguments it stands. */
function addName(call: Call, name: string): void {
  if (name !== call.name && call.arguments === '') call.name += name;
}

/**
 * Adds to the arguments, unless they are a repetition of what is there: of the whole, or of a call that says all of
 * itself again each time. Gives what is new.
 */
function addArguments(call: Call, args: string, isObject: boolean, saysWho: boolean): string {
  const had = call.arguments;
  if (args === had && args !== '' && (saysWho || isObject || isJson(had))) return '';
  if (isObject || (saysWho && isObjectStart(had) && args.startsWith(had))) {
    if (args === '') return '';
    call.arguments = args;
    return args.startsWith(had) ? args.slice(had.length) : args;
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

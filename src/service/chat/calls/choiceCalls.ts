import { isDeepStrictEqual } from 'node:util';
import { readNearlyJson } from '../../../base/jsonText.ts';
import type { ChatEvent } from '../completion.ts';
import { argumentsText, type CallTracker, createCallTracker, maxArgumentsLength, maxNameLength } from './toolCalls.ts';

/** A call in the form of OpenAI before there were tools. */
export interface RawFunctionCall {
  name?: unknown;
  arguments?: unknown;
}

/** The calls of one choice while they arrive. */
export interface ChoiceCalls {
  /** @param whole whether the calls are complete, and not pieces of calls */
  take(items: unknown, whole: boolean): void;
  takeFunctionCall(call: RawFunctionCall): void;
  /** Whether a call has come that is this one. */
  isAsked(call: { readonly name: string; readonly arguments: string }): boolean;
  /** Whether anything of a call has come. */
  readonly hasCalls: boolean;
  /** Passes on the calls, which are complete. Gives the reason for which an answer ends that has such calls. */
  finish(beforeCalls: () => void): 'tool_calls' | 'function_call' | undefined;
}

/**
 * @param emit takes the events, in order
 * @param onBroken called when a bound is passed; must throw
 */
export function createChoiceCalls(
  choice: number,
  emit: (event: ChatEvent) => void,
  onBroken: () => never,
): ChoiceCalls {
  let tracker: CallTracker | undefined;
  let functionCall: { name: string; arguments: string } | undefined;

  return {
    take(items, whole) {
      tracker ??= createCallTracker(
        (call, name, added) => emit({ type: 'tool-call-delta', choice, call, name, arguments: added }),
        onBroken,
      );
      tracker.take(items, whole);
    },
    takeFunctionCall(call) {
      functionCall ??= { name: '', arguments: '' };
      if (typeof call.name === 'string' && call.name !== functionCall.name) functionCall.name += call.name;
      functionCall.arguments += argumentsText(call.arguments, onBroken);
      if (functionCall.name.length > maxNameLength || functionCall.arguments.length > maxArgumentsLength) onBroken();
    },
    isAsked: (call) =>
      [...(tracker?.begun() ?? []), ...(functionCall === undefined ? [] : [functionCall])].some((each) =>
        isSame(each, call),
      ),
    get hasCalls() {
      return tracker !== undefined || isCall(functionCall);
    },
    finish(beforeCalls) {
      const made = tracker?.calls() ?? [];
      if (made.length > 0) beforeCalls();
      for (const [call, toolCall] of made.entries()) emit({ type: 'tool-call', choice, call, toolCall });
      // Members that are empty stand for no call.
      if (isCall(functionCall)) emit({ type: 'function-call', choice, functionCall });
      return made.length > 0 ? 'tool_calls' : isCall(functionCall) ? 'function_call' : undefined;
    },
  };
}

interface NamedCall {
  readonly name: string;
  readonly arguments: string;
}

const isCall = (call: NamedCall | undefined): call is NamedCall =>
  call !== undefined && (call.name !== '' || call.arguments !== '');

function isSame(one: NamedCall, other: NamedCall): boolean {
  return one.name === other.name && isDeepStrictEqual(readNearlyJson(one.arguments), readNearlyJson(other.arguments));
}

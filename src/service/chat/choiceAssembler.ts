import type { ChatEvent } from './completion.ts';
import { finishReason, isNoReason } from './finishReason.ts';
import { readLogprobs } from './logprobs.ts';
import { createThoughtKeeper, type ThoughtForm } from './sentThoughts.ts';
import { createThoughtSplitter, type ThoughtSplitter } from './thinking.ts';
import { argumentsText, type CallTracker, createCallTracker, maxArgumentsLength, maxNameLength } from './toolCalls.ts';

/** One choice as it comes; members of any type, since servers differ. */
export interface RawChoice {
  index?: unknown;
  finish_reason?: unknown;
  delta?: unknown;
  message?: unknown;
  /** The text of legacy completions. */
  text?: unknown;
  logprobs?: unknown;
  /** Usage, which Moonshot puts here. */
  usage?: unknown;
}

interface RawMessage {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  /** Thoughts, by Ollama's own name. */
  thinking?: unknown;
  /** Thoughts in OpenRouter's form, in pieces. */
  reasoning_details?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
  function_call?: { name?: unknown; arguments?: unknown } | null;
}

const thoughtFields = ['reasoning_content', 'reasoning', 'thinking'] as const;
/** The longest finish reason, in characters: it is a word. */
const maxReasonLength = 100;

/** One choice while it arrives. */
export interface ChoiceAssembler {
  take(raw: RawChoice, whole: boolean): void;
  takeText(text: string): void;
  /** The reason as it came last; undefined while the choice goes on. */
  readonly reason: string | undefined;
  /** Passes on text that was held back: nothing more comes. */
  flush(): void;
  /** The choice is complete: passes on its calls and its end. */
  finish(): void;
}

/**
 * @param emit takes the events, in order
 * @param onBroken called when a bound is passed; must throw
 */
export function createChoiceAssembler(
  choice: number,
  emit: (event: ChatEvent) => void,
  onBroken: () => never,
): ChoiceAssembler {
  let reason: string | undefined;
  let functionCall: { name: string; arguments: string } | undefined;
  let calls: CallTracker | undefined;
  let saysThoughts = false;
  let hasLogprobs = true;
  const kept = createThoughtKeeper();
  const content: ThoughtSplitter = createThoughtSplitter(
    (text) => emit({ type: 'text', choice, text }),
    (text) => takeThought('tag', text),
  );

  function takeThought(form: ThoughtForm, text: string): void {
    kept.take(form, text);
    emit({ type: 'reasoning', choice, text });
  }

  function takeText(text: string): void {
    if (text === '') return;
    // A tag in the text is plain text where the thoughts have a field of their own.
    if (content.settled || saysThoughts) emit({ type: 'text', choice, text });
    else content.take(text);
  }

  function takeMessage(message: RawMessage, whole: boolean): void {
    for (const form of thoughtFields) {
      const thought = textOf(message[form]);
      if (thought === '') continue;
      if (!saysThoughts) content.end();
      saysThoughts = true;
      takeThought(form, thought);
      // A second field repeats the same thought, for clients that know only that one.
      break;
    }
    if (message.reasoning_details !== undefined) kept.takeDetails(message.reasoning_details);
    if (typeof message.content === 'string') {
      takeText(message.content);
    } else takeParts(message.content);
    if (typeof message.refusal === 'string' && message.refusal !== '') {
      emit({ type: 'refusal', choice, text: message.refusal });
    }
    if (message.tool_calls !== undefined && message.tool_calls !== null) takeCalls(message.tool_calls, whole);
    if (message.function_call !== undefined && message.function_call !== null) takeFunctionCall(message.function_call);
  }

  /** Takes content in parts; some of them are thoughts or a refusal. Some servers send a number. */
  function takeParts(parts: unknown): void {
    if (typeof parts === 'number') takeText(String(parts));
    for (const part of Array.isArray(parts) ? parts : []) {
      if (typeof part === 'string') takeText(part);
      else if (typeof part === 'object' && part !== null) takePart(part);
    }
  }

  function takePart(part: { type?: unknown; text?: unknown; thinking?: unknown; refusal?: unknown }): void {
    const text = textOf(part.text);
    const thought = textOf(part.thinking);
    const refusal = textOf(part.refusal);
    if (thought !== '') takeThought('parts', thought);
    if (refusal !== '') emit({ type: 'refusal', choice, text: refusal });
    takeText(text);
  }

  function takeCalls(items: unknown, whole: boolean): void {
    calls ??= createCallTracker(
      (call, name, added) => emit({ type: 'tool-call-delta', choice, call, name, arguments: added }),
      onBroken,
    );
    calls.take(items, whole);
  }

  function takeFunctionCall(call: { name?: unknown; arguments?: unknown }): void {
    functionCall ??= { name: '', arguments: '' };
    if (typeof call.name === 'string' && call.name !== functionCall.name) functionCall.name += call.name;
    functionCall.arguments += argumentsText(call.arguments, onBroken);
    if (functionCall.name.length > maxNameLength || functionCall.arguments.length > maxArgumentsLength) onBroken();
  }

  function takeLogprobs(raw: unknown): void {
    const read = hasLogprobs ? readLogprobs(raw) : [];
    // A probability above 1: the service did not normalise, so none of its numbers means anything.
    if (read.some((token) => token.logprob > 0)) hasLogprobs = false;
    else if (read.length > 0) emit({ type: 'logprobs', choice, content: read });
  }

  return {
    get reason() {
      return reason;
    },
    takeText,
    take(raw, whole) {
      const message = raw.delta ?? raw.message;
      if (typeof message === 'object' && message !== null) takeMessage(message, whole);
      else if (typeof raw.text === 'string') takeText(raw.text);
      if (raw.logprobs !== undefined && raw.logprobs !== null) takeLogprobs(raw.logprobs);
      if (typeof raw.finish_reason === 'string' && !isNoReason(raw.finish_reason))
        reason = raw.finish_reason.slice(0, maxReasonLength);
    },
    flush: () => content.end(),
    finish() {
      const standardReason = reason === undefined ? undefined : finishReason(reason);
      // Calls of an answer that was cut short are not whole, whatever they look like.
      const isWhole = standardReason !== 'length' && standardReason !== 'content_filter';
      const made = isWhole ? (calls?.calls() ?? []) : [];
      const thoughts = made.length > 0 ? kept.thoughts() : undefined;
      if (thoughts !== undefined) emit({ type: 'thoughts', choice, thoughts });
      for (const [call, toolCall] of made.entries()) emit({ type: 'tool-call', choice, call, toolCall });
      if (isWhole && functionCall !== undefined) emit({ type: 'function-call', choice, functionCall });
      const said = made.length > 0 ? 'tool_calls' : functionCall !== undefined ? 'function_call' : undefined;
      const told =
        said !== undefined && (standardReason === 'stop' || standardReason === undefined) ? said : standardReason;
      if (told === undefined) return;
      emit({
        type: 'finish',
        choice,
        reason: told,
        ...(reason === told || reason === undefined ? {} : { raw: reason }),
      });
    },
  };
}

/** Text that is a string, or an array of parts that hold text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

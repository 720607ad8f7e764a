import type { CallableTool } from './calls/calledInText.ts';
import { createTextCalls, type TextCalls } from './calls/textCalls.ts';
import {
  argumentsText,
  type CallTracker,
  createCallTracker,
  maxArgumentsLength,
  maxNameLength,
} from './calls/toolCalls.ts';
import type { ChatEvent } from './completion.ts';
import { finishReason, isNoReason, meaningOf } from './finishReason.ts';
import { readLogprobs } from './logprobs.ts';
import { createRepeatFilter } from './repeats.ts';
import { createThoughtKeeper, type ThoughtForm } from './sentThoughts.ts';
import { createThoughtSplitter, type ThoughtSplitter } from './thoughts/thinking.ts';

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
/** Members in which something of the answer comes. */
const newsFields = [...thoughtFields, 'content', 'tool_calls', 'function_call', 'refusal'] as const;
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
 * @param tools those of the request: calls of them in the text are read
 * @param emit takes the events, in order
 * @param onBroken called when a bound is passed; must throw
 */
export function createChoiceAssembler(
  choice: number,
  tools: readonly CallableTool[],
  emit: (event: ChatEvent) => void,
  onBroken: () => never,
): ChoiceAssembler {
  let reason: string | undefined;
  let functionCall: { name: string; arguments: string } | undefined;
  let calls: CallTracker | undefined;
  /** Whether the piece that is read says that the answer ends. */
  let isLast = false;
  /** Whether something came in deltas: a whole message that follows them is no news. */
  let hasDelta = false;
  let hasLogprobs = true;
  const kept = createThoughtKeeper();
  const content: ThoughtSplitter = createThoughtSplitter(
    {
      onText: sayText,
      onThought: (text) => takeThought('tag', text),
      onCall: (call, name, added) => takeCalls([{ index: call, function: { name, arguments: added } }], false),
      onReplaced(text, reasoning) {
        textCalls = createOwnTextCalls();
        kept.take('tag', reasoning);
        emit({ type: 'replace', choice, text, reasoning });
      },
    },
    () => texts.soFar(),
  );
  const texts = createRepeatFilter(content.take);
  let hasThoughts = false;
  let thoughtForm: ThoughtForm = 'reasoning_content';
  const thoughts = createRepeatFilter((text) => takeThought(thoughtForm, text));

  let textCalls = createOwnTextCalls();
  function createOwnTextCalls(): TextCalls | undefined {
    if (tools.length === 0) return undefined;
    return createTextCalls(
      tools,
      (text) => emit({ type: 'text', choice, text }),
      (call) => takeCalls([{ function: call }], true),
    );
  }

  function sayText(text: string): void {
    if (textCalls === undefined) emit({ type: 'text', choice, text });
    else textCalls.take(text);
  }

  function takeThought(form: ThoughtForm, text: string): void {
    kept.take(form, text);
    emit({ type: 'reasoning', choice, text });
  }

  function takeText(text: string): void {
    if (hasThoughts) thoughts.end();
    texts.take(text, isLast);
  }

  function takeThoughts(message: RawMessage): void {
    for (const form of thoughtFields) {
      const thought = textOf(message[form]);
      if (thought === '') continue;
      content.settle();
      hasThoughts = true;
      thoughtForm = form;
      thoughts.take(thought, isLast);
      // A second field repeats the same thought, for clients that know only that one.
      return;
    }
  }

  function takeMessage(message: RawMessage, whole: boolean): void {
    takeThoughts(message);
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
      const { delta, message } = raw;
      isLast = typeof raw.finish_reason === 'string' && !isNoReason(raw.finish_reason);
      if (isObject(delta)) {
        takeMessage(delta, false);
        hasDelta ||= newsFields.some((field) => isNews(delta[field]));
      }
      if (isObject(message) && !hasDelta) takeMessage(message, whole);
      else if (!isObject(delta) && typeof raw.text === 'string') takeText(raw.text);
      if (raw.logprobs !== undefined && raw.logprobs !== null) takeLogprobs(raw.logprobs);
      if (isLast) reason = String(raw.finish_reason).slice(0, maxReasonLength);
    },
    flush() {
      thoughts.end();
      texts.end();
      const isComplete = reason !== undefined && meaningOf(reason) === 'complete';
      content.end(isComplete);
      // A server that read the calls of its model left none in the text.
      textCalls?.end(isComplete && calls === undefined && functionCall === undefined);
    },
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

function isObject(value: unknown): value is RawMessage {
  return typeof value === 'object' && value !== null;
}

function isNews(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Text that is a string, or an array of parts that hold text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

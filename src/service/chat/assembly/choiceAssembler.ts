import type { CallableTool } from '../calls/calledInText.ts';
import { createChoiceCalls } from '../calls/choiceCalls.ts';
import type { ChatEvent } from '../completion.ts';
import { finishReason, isNoReason, meaningOf } from '../finishReason.ts';
import { readLogprobs } from '../logprobs.ts';
import { createThoughtKeeper } from '../sentThoughts.ts';
import { createMessageReader, type RawMessage, thoughtFields } from './choiceMessage.ts';
import { createChoiceText } from './choiceText.ts';

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
  /** Whether the piece that is read says that the answer ends. */
  let isLast = false;
  /** Whether something came in deltas: a whole message that follows them is no news. */
  let hasDelta = false;
  let hasLogprobs = true;
  const kept = createThoughtKeeper();
  const calls = createChoiceCalls(choice, emit, onBroken);
  const content = createChoiceText(choice, tools, calls, kept, emit);
  const message = createMessageReader(choice, content, calls, kept, emit);

  function takeLogprobs(raw: unknown): void {
    const read = hasLogprobs ? readLogprobs(raw) : [];
    // A probability above 1: the service did not normalise, so none of its numbers means anything.
    if (read.some((token) => token.logprob > 0)) hasLogprobs = false;
    else if (read.length > 0) emit({ type: 'logprobs', choice, content: read });
  }

  /** A model that calls tools wants its thoughts back with their results. */
  function sayThoughts(): void {
    const thoughts = kept.thoughts();
    if (thoughts !== undefined) emit({ type: 'thoughts', choice, thoughts });
  }

  return {
    get reason() {
      return reason;
    },
    takeText: (text) => content.takeText(text, isLast),
    take(raw, whole) {
      const { delta } = raw;
      isLast = typeof raw.finish_reason === 'string' && !isNoReason(raw.finish_reason);
      if (isObject(delta)) {
        message.take(delta, false, isLast);
        hasDelta ||= newsFields.some((field) => isNews(delta[field]));
      }
      if (isObject(raw.message) && !hasDelta) message.take(raw.message, whole, isLast);
      else if (!isObject(delta) && typeof raw.text === 'string') content.takeText(raw.text, isLast);
      if (raw.logprobs !== undefined && raw.logprobs !== null) takeLogprobs(raw.logprobs);
      if (isLast) reason = String(raw.finish_reason).slice(0, maxReasonLength);
    },
    flush() {
      content.end(reason !== undefined && meaningOf(reason) === 'complete');
    },
    finish() {
      const standardReason = reason === undefined ? undefined : finishReason(reason);
      // Calls of an answer that was cut short are not whole, whatever they look like.
      const isWhole = standardReason !== 'length' && standardReason !== 'content_filter';
      const said = isWhole ? calls.finish(sayThoughts) : undefined;
      const isSaid = standardReason === undefined || standardReason === 'stop' || standardReason === 'function_call';
      const told = said !== undefined && isSaid ? said : standardReason;
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

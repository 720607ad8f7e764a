import type { ChoiceCalls, RawFunctionCall } from '../calls/choiceCalls.ts';
import type { ChatEvent } from '../completion.ts';
import type { ThoughtKeeper } from '../sentThoughts.ts';
import type { ChoiceText } from './choiceText.ts';

/** A message, or a delta of one, of a choice; members of any type, since servers differ. */
export interface RawMessage {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  /** Thoughts, by Ollama's own name. */
  thinking?: unknown;
  /** Thoughts in OpenRouter's form, in pieces. */
  reasoning_details?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
  function_call?: RawFunctionCall | null;
}

/** Members in which thoughts come. */
export const thoughtFields = ['reasoning_content', 'reasoning', 'thinking'] as const;

/** Reads messages, whole or in deltas, of one choice. */
export interface MessageReader {
  /**
   * @param whole whether the message is complete, and not a delta
   * @param isLast whether the answer ends with it
   */
  take(message: RawMessage, whole: boolean, isLast: boolean): void;
}

export function createMessageReader(
  choice: number,
  content: ChoiceText,
  calls: ChoiceCalls,
  kept: ThoughtKeeper,
  emit: (event: ChatEvent) => void,
): MessageReader {
  function takeThoughts(message: RawMessage, isLast: boolean): void {
    for (const form of thoughtFields) {
      const thought = textOf(message[form]);
      if (thought === '') continue;
      content.takeThoughts(form, thought, isLast);
      // A second field repeats the same thought, for clients that know only that one.
      return;
    }
  }

  function takeRefusal(refusal: unknown): void {
    const text = textOf(refusal);
    if (text !== '') emit({ type: 'refusal', choice, text });
  }

  /** Takes a part of the content; some are thoughts or a refusal. */
  function takePart(part: unknown, isLast: boolean): void {
    if (typeof part === 'string') content.takeText(part, isLast);
    if (typeof part !== 'object' || part === null) return;
    const { text, thinking, refusal }: { text?: unknown; thinking?: unknown; refusal?: unknown } = part;
    const thought = textOf(thinking);
    if (thought !== '') content.takeThought('parts', thought);
    takeRefusal(refusal);
    content.takeText(textOf(text), isLast);
  }

  return {
    take(message, whole, isLast) {
      takeThoughts(message, isLast);
      if (message.reasoning_details !== undefined) kept.takeDetails(message.reasoning_details);
      // Some servers send a number.
      const parts = typeof message.content === 'number' ? String(message.content) : message.content;
      for (const part of Array.isArray(parts) ? parts : [parts]) takePart(part, isLast);
      if (typeof message.refusal === 'string') takeRefusal(message.refusal);
      if (message.tool_calls !== undefined && message.tool_calls !== null) calls.take(message.tool_calls, whole);
      if (message.function_call !== undefined && message.function_call !== null) {
        calls.takeFunctionCall(message.function_call);
      }
    },
  };
}

/** Text that is a string, or an array of parts that hold text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

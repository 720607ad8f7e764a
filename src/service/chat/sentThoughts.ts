import { isPlainObject, jsonText } from '../../base/jsonText.ts';
import type { ChatMessage, ContentPart } from './chatRequest.ts';

export { thoughtsField } from '../compat/thoughtsRefusal.ts';

/**
 * The place for a model's thoughts at a service: in a field beside the content (llama.cpp, DeepSeek; Groq, OpenRouter; Ollama),
 * in parts of the content (Mistral), or into the text, as `<think>…</think>`. A service that needs it again wants it there.
 */
export type ThoughtForm = 'reasoning_content' | 'reasoning' | 'thinking' | 'parts' | 'tag';

/** The thoughts of a model before it called tools. */
export interface Thoughts {
  readonly form: ThoughtForm;
  readonly text: string;
  /** OpenRouter's `reasoning_details`, put together: some of them are signed, and have to come back as they were. */
  readonly details?: readonly ThoughtDetail[];
}
export type ThoughtDetail = Readonly<Record<string, unknown>>;

/** Gathers the thoughts of one choice as they come. */
export interface ThoughtKeeper {
  take(form: ThoughtForm, text: string): void;
  takeDetails(details: unknown): void;
  /** Undefined when there were none, or more than is kept. */
  thoughts(): Thoughts | undefined;
}

/** The longest thoughts, in characters, and the most details that are kept. */
const longest = 2 * 1024 * 1024;
const mostDetails = 256;
/** Members of a detail that come in pieces. */
const growing = new Set(['text', 'summary', 'data']);

export function createThoughtKeeper(): ThoughtKeeper {
  let form: ThoughtForm | undefined;
  let text = '';
  let length = 0;
  const details: Record<string, unknown>[] = [];

  function takeDetail(detail: Record<string, unknown>): void {
    const last = details.findLast(({ index, type }) => index === detail['index'] && type === detail['type']);
    // A signature comes in a piece of its own, which belongs to the thoughts before it.
    const target = last ?? {};
    if (last === undefined) details.push(target);
    for (const [name, value] of Object.entries(detail)) {
      const had = target[name];
      const grows = growing.has(name) && typeof had === 'string' && typeof value === 'string';
      if (value !== null && value !== undefined) define(target, name, grows ? had + value : value);
    }
  }

  return {
    take(from, added) {
      form ??= from;
      length += added.length;
      if (length <= longest) text += added;
    },
    takeDetails(given) {
      for (const detail of Array.isArray(given) ? given : []) {
        const size = isPlainObject(detail) ? jsonText(detail)?.length : undefined;
        if (size === undefined) continue;
        length += size;
        if (length > longest || details.length >= mostDetails) return;
        takeDetail(detail);
      }
    },
    thoughts() {
      if (length > longest || (form === undefined && details.length === 0)) return undefined;
      return { form: form ?? 'reasoning', text, ...(details.length === 0 ? {} : { details }) };
    },
  };
}

/** An assistant's message with the model's thoughts, in the place where the service puts them. */
export function withThoughts(message: ChatMessage, { form, text, details }: Thoughts): ChatMessage {
  const told = details === undefined ? message : { ...message, reasoning_details: details };
  if (text === '') return told;
  const { content } = message;
  switch (form) {
    case 'tag':
      return { ...told, content: `<think>${text}</think>${typeof content === 'string' ? `\n\n${content}` : ''}` };
    case 'parts': {
      const thinking: ContentPart = { type: 'thinking', thinking: [{ type: 'text', text }] };
      const said: ContentPart[] =
        typeof content === 'string' ? [{ type: 'text', text: content }] : [...(content ?? [])];
      return { ...told, content: [thinking, ...said] };
    }
    default:
      return { ...told, [form]: text };
  }
}

/** Defines a member, also one named like `__proto__`, which an assignment would not make. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

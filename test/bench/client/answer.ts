import type { CorpusCase } from '../../corpus/case.ts';

/** What a program that uses a client has in hand: filled as it comes, so that it is kept when the client then throws. */
export interface Answer {
  /** Text by choice. */
  texts: string[];
  reasoning: string;
  /** Of the first choice, as the function call. */
  toolCalls: { id?: string; name: string; arguments: string }[];
  functionCall?: { name: string; arguments: string };
  finishReason?: string;
  /** Absent where the client gave none. */
  usage?: { prompt: number | undefined; completion: number | undefined };
  vectors?: ArrayLike<number>[];
}

/** A client of the API under test, used as its documentation says. */
export interface Client {
  name: string;
  /** Whether it has what this case is about. */
  offers(each: CorpusCase): boolean;
  /** Sends the request of a case; throws whatever the client throws. Never asks twice. */
  ask(each: CorpusCase, baseUrl: string, answer: Answer): Promise<void>;
  close?(): Promise<void>;
}

/** The place of a choice, whatever a stream says it is. */
export const placeOf = (index: unknown): number =>
  typeof index === 'number' && index >= 0 && index < 128 ? Math.trunc(index) : 0;

export function addText(answer: Answer, choice: unknown, text: unknown): void {
  if (typeof text !== 'string') return;
  const place = placeOf(choice);
  answer.texts[place] = (answer.texts[place] ?? '') + text;
}

/** Whether a program that meets this case works with tools: it then uses the part of a client that is made for them. */
export function usesTools({ body, expected }: CorpusCase): boolean {
  if (expected.ok && (expected.toolCalls ?? expected.functionCall) !== undefined) return true;
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  return /"(tool_calls|function_call)"/.test(
    pieces.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString())).join(''),
  );
}

export const question = [{ role: 'user' as const, content: 'Hello' }];

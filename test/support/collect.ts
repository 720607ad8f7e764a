import { ServiceError } from '../../src/base/errors.ts';
import type { ChatEvent, TokenLogprob, ToolCall, Usage } from '../../src/service/chat/completion.ts';
import type { Adjustment } from '../../src/service/compat/fieldMemory.ts';

/** One choice of a completion. Members that the service did not give are empty, or absent. */
export interface CompletionChoice {
  index: number;
  text: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  functionCall?: { name: string; arguments: string };
  logprobs: TokenLogprob[];
  /** The finish reason in the terms of the document, as in the event `finish`. */
  finishReason?: string;
  rawFinishReason?: string;
}

/** A whole answer (service-api.md 2.4). Usage is absent when the service did not say. */
export interface Completion {
  id?: string;
  /** Seconds since the epoch. */
  created?: number;
  model?: string;
  systemFingerprint?: string;
  choices: CompletionChoice[];
  usage?: Usage;
  /** Fields that the request went without, since the service does not take them. */
  adjustments: Adjustment[];
  /** The reason why the answer is not complete; all other members hold what came before. */
  error?: ServiceError;
}

/**
 * Gathers the events of an answer into one completion. An answer that failed gives what came, marked with its `error`:
 * look at that first.
 */
export async function collectCompletion(events: AsyncIterable<ChatEvent>): Promise<Completion> {
  const completion: Completion = { choices: [], adjustments: [] };
  const choices = new Map<number, CompletionChoice>();

  function choiceOf(index: number): CompletionChoice {
    const found = choices.get(index) ?? { index, text: '', reasoning: '', refusal: '', toolCalls: [], logprobs: [] };
    choices.set(index, found);
    return found;
  }

  try {
    for await (const event of events) {
      if ('choice' in event) takeChoice(choiceOf(event.choice), event);
      else if (event.type === 'usage') completion.usage = event.usage;
      else if (event.type === 'model') completion.model = event.model;
      else if (event.type === 'adjusted') completion.adjustments.push(withoutType(event));
      else Object.assign(completion, withoutType(event));
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    completion.error = error;
  }
  completion.choices = [...choices.values()].sort((a, b) => a.index - b.index);
  return completion;
}

function takeChoice(choice: CompletionChoice, event: Extract<ChatEvent, { choice: number }>): void {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      choice[event.type] += event.text;
      break;
    case 'replace':
      choice.text = event.text;
      choice.reasoning = event.reasoning;
      break;
    case 'tool-call':
      choice.toolCalls.push(event.toolCall);
      break;
    case 'function-call':
      choice.functionCall = event.functionCall;
      break;
    case 'logprobs':
      for (const token of event.content) choice.logprobs.push(token);
      break;
    case 'finish':
      choice.finishReason = event.reason;
      choice.rawFinishReason = event.raw ?? event.reason;
  }
}

function withoutType<E extends ChatEvent>({ type: _, ...rest }: E): Omit<E, 'type'> {
  return rest;
}

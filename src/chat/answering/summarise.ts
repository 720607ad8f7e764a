import { ServiceError } from '../../base/errors.ts';
import { bytesPerToken } from '../../base/tokens.ts';
import { withInstructions } from '../../base/workspaceInstructions.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { planRequest, requestRoom } from '../context/requestMessages.ts';
import { longestSummary, summaryInstructions, summaryOf, transcriptPieces } from '../context/summary.ts';
import { turnsOf } from '../context/turns.ts';
import type { Conversation, Question, TurnSummary } from '../conversation/conversation.ts';
import { configurationOf } from '../parameters/configuration.ts';
import type { AnswerOptions } from './answering.ts';

/** The share of a context window that turns keep when older ones are summarised: a few more questions fit then. */
const keptShare = 0.5;
/** Tokens of a request that are not the transcript: what the model is told, and the summary so far. */
const overhead = 1_500;
/** The least of a transcript, in tokens, that is sent at once. */
const leastPiece = 500;

/** Hears how many pieces of a long conversation are read, and of how many. */
export type OnPiece = (done: number, of: number) => void;

/**
 * Has the model of a conversation summarise its older turns: those that do not fit into half of its context window. What was
 * summarised before is not read again. Undefined where nothing is to be summarised, or nobody knows how much the model reads.
 * @throws ServiceError whatever the service answers, `cancelled` when the signal fired
 */
export async function summarise(
  options: AnswerOptions,
  conversation: Conversation,
  signal: AbortSignal,
  onPiece: OnPiece = () => {},
): Promise<Omit<TurnSummary, 'at'> | undefined> {
  const configuration = configurationOf(conversation.configured);
  const endpoint = await options.endpoint(configuration.model);
  const facts = options.facts?.(endpoint.model);
  const room = facts && requestRoom(facts);
  if (room === undefined) return undefined;
  const prompt = configuration.systemPrompt ?? options.settings().systemPrompt;
  const instructions = withInstructions(prompt, await options.instructions());
  const next: Question = { role: 'user', id: '', at: 0, text: '', attachments: [] };
  const written = turnsOf([...conversation.messages, next]).filter(({ answer }) => answer?.state !== 'streaming');
  const { leftOut: older } = planRequest(written, instructions, room * keptShare);
  const last = older.at(-1);
  if (last === undefined) return undefined;
  const before = summaryOf([...older, { question: next }], conversation.summaries);
  const longest = Math.floor(Math.max(leastPiece, room - overhead) * bytesPerToken);
  let text = before?.summary.text ?? '';
  const pieces = transcriptPieces(older.slice(before?.count ?? 0), longest);
  for (const [index, piece] of pieces.entries()) {
    onPiece(index, pieces.length);
    text = await askFor(options, endpoint, text, piece, signal);
  }
  return { upTo: last.answer?.id ?? last.question.id, text };
}

/** Asks for a summary of one before and what followed. */
async function askFor(
  { client, settings }: AnswerOptions,
  endpoint: Endpoint,
  before: string,
  transcript: string,
  signal: AbortSignal,
): Promise<string> {
  const { stream, extra } = settings();
  const content = before === '' ? transcript : `Summary of what was before:\n${before}\n\n${transcript}`;
  const messages = [
    { role: 'system', content: summaryInstructions },
    { role: 'user', content },
  ] as const;
  let text = '';
  for await (const event of client.chat(endpoint, { messages: [...messages], stream, extra }, signal)) {
    if (event.type === 'text' && event.choice === 0) text += event.text;
    if (event.type === 'replace' && event.choice === 0) text = event.text;
    // The rest of an endless one is not read.
    if (text.length > longestSummary) break;
  }
  const summary = text.trim().slice(0, longestSummary);
  if (summary === '') throw new ServiceError('malformed');
  return summary;
}

import type { Clock } from '../../base/clock.ts';
import { isCancelled, ServiceError } from '../../base/errors.ts';
import { isPlainObject } from '../../base/jsonText.ts';
import { type InstructionFile, withInstructions } from '../../base/workspaceInstructions.ts';
import type { ChatFields, ChatMessage } from '../../service/chat/chatRequest.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import type { ModelFacts } from '../context/modelFacts.ts';
import { planRequest, requestMessages, requestRoom } from '../context/requestMessages.ts';
import { turnsOf } from '../context/turns.ts';
import {
  type Answer,
  type AnswerError,
  answerOf,
  type Conversation,
  cutWithWindow,
  type Dispatch,
  type DispatchGrowth,
  type Growth,
} from '../conversation/conversation.ts';
import { pathTo } from '../conversation/path.ts';
import { type Configuration, configurationOf } from '../parameters/configuration.ts';
import { configurationWith, type RequestOverride } from '../parameters/requestOverride.ts';
import { sentParameters } from '../parameters/sentParameters.ts';
import { type Alternatives, createAlternatives, type OnTokens, type Written } from './alternatives.ts';
import { beginningMessage, continuationMessages } from './continuation.ts';
import { createCountdown } from './countdown.ts';
import { createIntake } from './intake.ts';
import { compareReplay } from './replay.ts';
import { askedWith, createRetryCount } from './requestFacts.ts';
import { isAboutFiles, withChangeForm } from './systemMessage.ts';

/** What the settings say of a request, where the conversation does not say otherwise. */
export interface ChatSettings {
  readonly stream: boolean;
  readonly systemPrompt: string;
  /** Fields that are added to every request. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface AnswerOptions {
  readonly client: Pick<ServiceClient, 'chat'>;
  /**
   * Throws a ServiceError when something a request needs is missing.
   * @param model in the place of the one that is set
   */
  readonly endpoint: (model: string | undefined) => Promise<Endpoint>;
  readonly settings: () => ChatSettings;
  /** The instruction files of the workspace as they are now. */
  readonly instructions: () => Promise<readonly InstructionFile[]>;
  /** What is known of the model that is asked: older turns that it does not read are left out. */
  readonly facts?: (model: string) => ModelFacts | undefined;
  /** The same, asked of the service where that has to be; undefined where it takes too long. Does not reject. */
  readonly askedFacts?: (model: string, signal: AbortSignal) => Promise<ModelFacts | undefined>;
  /** What the system message says of the form in which a model's answers change files. */
  readonly changeForm?: ((model: string) => string) | undefined;
  readonly clock: Clock;
  readonly onTokens?: OnTokens;
  /** A fault that is not a ServiceError; for the log. */
  readonly onFault: (error: unknown) => void;
}

interface Asked extends AnswerOptions {
  /** The answer to be written, which is in the conversation. It is empty, or has the text that it goes on from. */
  readonly id: string;
  readonly conversation: () => Conversation;
  readonly dispatch: Dispatch;
  /** Begins one more version of the answer, for a further choice, and gives its id; undefined where the question is gone. */
  readonly addVersion: () => string | undefined;
  /** An answer whose request is sent once more, and with which this one is compared. */
  readonly replayOf?: Answer | undefined;
  /** Whether all is sent, however much it is: the user said so. */
  readonly isWhole?: boolean | undefined;
  /** What it is asked with in the place of what the conversation has; it is one answer alone then. */
  readonly asked?: RequestOverride | undefined;
  /** The answer that the text to go on from was taken from, where it ends with another token. */
  readonly forkOf?: string | undefined;
}

/** How often an answer says that it is being written, though it may have no words, in milliseconds. */
const beatMs = 20_000;

/** Why answers are aborted when their window is closed or loaded anew: they are cut off, and can be continued. */
export const windowEnd = new DOMException('The window ends.', 'AbortError');

/** Asks the service, and dispatches events until the answer has ended, in whatever state. Does not reject. */
export async function answer(asked: Asked, signal: AbortSignal): Promise<void> {
  const { clock, conversation, id } = asked;
  const growing =
    (grown: string): DispatchGrowth =>
    (growth) =>
      asked.dispatch({ ...growth, id: grown });
  const dispatch = growing(id);
  const started = clock.now();
  const { text: before = '', reasoning = '' } = answerOf(conversation(), id) ?? {};
  const goesOnFrom = { text: before, reasoning, forkOf: asked.forkOf };
  const first = { id, intake: createIntake(dispatch, clock, started, goesOnFrom) };
  let written: Alternatives = createAlternatives(first, 1, () => undefined);
  const countdown = createCountdown(dispatch, clock);
  // Other windows tell by this that a slow answer is still being written.
  const beat = setInterval(() => dispatch({ type: 'describe', facts: {} }), beatMs);
  let end: Pick<Extract<Growth, { readonly type: 'end' }>, 'state' | 'error'>;
  try {
    if (asked.asked !== undefined) dispatch({ type: 'describe', facts: { asked: asked.asked } });
    const configuration = configurationWith(configurationOf(conversation().configured), asked.asked);
    const endpoint = await asked.endpoint(configuration.model);
    dispatch({ type: 'describe', facts: { model: endpoint.model } });
    const isOne = before !== '' || asked.asked !== undefined;
    const { systemPrompt, ...fields } = configure(asked.settings(), configuration, isOne);
    const messages = await messagesFor({ ...asked, signal }, endpoint.model, systemPrompt, configuration);
    const onWait = (waitMs: number, failed?: unknown): void => void countdown.begin(waitMs, failed === undefined);
    const onRetry = createRetryCount((retriedAfter) => dispatch({ type: 'describe', facts: { retriedAfter } }));
    const request = { messages, ...fields, onWait, onRetry, tag: id };
    const facts = { askedWith: askedWith(endpoint.model, configuration.parameters, request) };
    dispatch({ type: 'describe', facts });
    const begin = (): Written | undefined => {
      const other = asked.addVersion();
      if (other === undefined) return undefined;
      growing(other)({ type: 'describe', facts });
      return { id: other, intake: createIntake(growing(other), clock, started) };
    };
    written = createAlternatives(first, fields.fields.n ?? 1, begin, asked.onTokens);
    for await (const event of asked.client.chat(endpoint, request, signal)) {
      countdown.end();
      written.take(event);
    }
    end = { state: 'complete' };
    const missing = (fields.fields.n ?? 1) - written.all.length;
    if (missing > 0) dispatch({ type: 'describe', facts: { missing } });
  } catch (error) {
    const stopped = signal.reason === windowEnd ? cutOff : ({ state: 'stopped' } as const);
    end = isCancelled(error) ? stopped : { state: 'failed', error: errorData(error) };
    if (end.error?.kind === 'unexpected') asked.onFault(error);
  }
  countdown.end();
  clearInterval(beat);
  const at = clock.now();
  for (const each of written.all) {
    each.intake.flush();
    if (asked.replayOf !== undefined && end.state === 'complete') tellReplay(asked, each.id, asked.replayOf);
    const isFiltered = answerOf(conversation(), each.id)?.finishReason === 'content_filter';
    const own = end.state === 'complete' && isFiltered ? filtered : end;
    growing(each.id)({ type: 'end', ...own, totalMs: at - started, at });
  }
}

function tellReplay({ conversation, dispatch }: Asked, id: string, before: Answer): void {
  const after = answerOf(conversation(), id);
  if (after !== undefined) dispatch({ type: 'describe', id, facts: { replay: compareReplay(before, after) } });
}

const cutOff = { state: 'failed', error: cutWithWindow } as const;
const filtered = { state: 'failed', error: { kind: 'content-filter' } } as const;

/** What the model reads: the system message, and the turns that fit. */
async function messagesFor(
  { id, conversation, signal, ...asked }: Asked & { readonly signal: AbortSignal },
  model: string,
  systemPrompt: string,
  { leftOut }: Configuration,
): Promise<ChatMessage[]> {
  const files = (await asked.instructions()).filter(({ uri }) => !leftOut.has(uri));
  const asking = turnsOf(pathTo(conversation(), id));
  // One question alone is sent as it is: nothing could be left out.
  const unknown = asking.length > 1 ? await asked.askedFacts?.(model, signal) : undefined;
  const facts = asked.facts?.(model) ?? unknown;
  const room = facts === undefined || asked.isWhole ? undefined : requestRoom(facts);
  const hasFiles = asking.some(({ question }) => isAboutFiles(question.attachments));
  const changeForm = hasFiles ? asked.changeForm?.(model) : '';
  const instructions = withChangeForm(withInstructions(systemPrompt, files), changeForm);
  const { turns } = planRequest(asking, instructions, room, conversation().summaries);
  const path = requestMessages(turns, instructions, facts?.takesImages);
  const before = answerOf(conversation(), id)?.text ?? '';
  if (before === '') return path;
  return [...path, ...(asked.forkOf === undefined ? continuationMessages(before) : [beginningMessage(before)])];
}

/** The settings as a conversation has them. @param isOne whether one answer is wanted, however many the conversation asks for */
function configure({ stream, systemPrompt, extra }: ChatSettings, own: Configuration, isOne: boolean) {
  const { n: _, ...others } = own.parameters;
  const sent = sentParameters(isOne ? others : own.parameters, stream);
  return { ...sent, systemPrompt: own.systemPrompt ?? systemPrompt, extra: extraBeside(sent.fields, extra) };
}

/** The fields of the settings that are sent beside a conversation's own: of two names for one field, its own is sent alone. */
function extraBeside(own: ChatFields, extra: ChatSettings['extra']): ChatSettings['extra'] {
  // What a user wrote into the settings may be anything; the request says what is wrong with it.
  if (!isPlainObject(extra)) return extra;
  const names = new Set<string>(Object.keys(own));
  if (names.has('max_tokens')) names.add('max_completion_tokens');
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !names.has(name)));
}

function errorData(error: unknown): AnswerError {
  return error instanceof ServiceError ? error.toJSON() : { kind: 'unexpected' };
}

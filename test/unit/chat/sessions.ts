/** Sessions of the chat whose service follows scripts. */
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/base/errors.ts';
import type { InstructionFile } from '../../../src/base/workspaceInstructions.ts';
import type { AnswerOptions, ChatSettings } from '../../../src/chat/answering/answering.ts';
import type { Attachment } from '../../../src/chat/conversation/attachment.ts';
import {
  type Action,
  type Answer,
  type Conversation,
  emptyConversation,
  type Message,
} from '../../../src/chat/conversation/conversation.ts';
import { createSession } from '../../../src/chat/session.ts';
import type { ChatClient } from '../../../src/service/chat/chat.ts';
import type { ChatRequest } from '../../../src/service/chat/chatRequest.ts';
import type { ChatEvent } from '../../../src/service/chat/completion.ts';
import type { Patch } from '../../../src/webview/shared/protocol/protocol.ts';

export type Script = (signal: AbortSignal, clock: { now: number }) => AsyncGenerator<ChatEvent, void, undefined>;
export const text = (part: string): ChatEvent => ({ type: 'text', choice: 0, text: part });
export const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

/** A script of the service, or the settings in the place of the usual ones. */
type Given = Script | { readonly settings?: ChatSettings; readonly askedFacts?: AnswerOptions['askedFacts'] };

/** A session whose service follows scripts, one for each call, and whose time stands still unless a script moves it. */
export const setUp = (...given: Given[]) => setUpFrom(emptyConversation('c', 1), ...given);

/** The same with a conversation that is there. */
export function setUpFrom(initial: Conversation, ...given: Given[]) {
  const scripts = given.filter((each) => typeof each === 'function');
  const { askedFacts, settings = { stream: true, systemPrompt: '', extra: { reasoning_effort: 'low' } } } =
    given.find((each) => typeof each === 'object') ?? {};
  const time = { now: 1000 };
  const requests: ChatRequest[] = [];
  const patches: Patch<Message>[] = [];
  /** What is kept of the conversation. */
  const actions: Action[] = [];
  const faults: unknown[] = [];
  /** The models that were asked. */
  const models: string[] = [];
  /** The instruction files of the workspace. */
  const instructions: InstructionFile[] = [];
  /** Releases the pieces that wait to be gathered. */
  const gathering: (() => void)[] = [];
  /** The number in the next id. */
  const ids = { next: 0 };
  const client: ChatClient = {
    async *chat(_endpoint, request, signal) {
      requests.push(request);
      const script = scripts.shift();
      if (script === undefined) throw new Error('The service was asked once too often.');
      yield* script(signal, time);
    },
  };
  const session = createSession(initial, {
    client,
    ...(askedFacts && { askedFacts }),
    endpoint: async (model = 'm') => {
      models.push(model);
      return { baseUrl: 'http://localhost/v1', model };
    },
    settings: () => settings,
    instructions: async () => instructions,
    onConfigure() {},
    clock: {
      now: () => time.now,
      random: () => 0,
      sleep: () => new Promise((resolve) => gathering.push(resolve)),
    },
    newId: () => `id${ids.next++}`,
    onAction: (action) => actions.push(action),
    onPatches: (next) => patches.push(...next),
    onFault: (fault) => faults.push(fault),
  });
  return { session, requests, models, instructions, patches, actions, faults, gathering, time, ids };
}

/** A script of a whole answer. */
export const says = (...parts: string[]): Script =>
  async function* () {
    for (const part of parts) yield text(part);
    yield finish;
  };

/** A script that fails after some text. */
export const fails = (error: ServiceError, ...parts: string[]): Script =>
  async function* () {
    for (const part of parts) yield text(part);
    throw error;
  };

/** A script of thoughts and some text, which then fails. */
export const thinks = (thoughts: string, part: string, error: ServiceError): Script =>
  async function* () {
    yield { type: 'reasoning', choice: 0, text: thoughts };
    yield text(part);
    throw error;
  };

/** A script that says something and then nothing more until it is stopped. */
export const hangs = (part: string, onAbort = () => {}): Script =>
  async function* (signal) {
    signal.addEventListener('abort', onAbort);
    yield text(part);
    await untilAborted(signal);
  };

export const attachment: Attachment = {
  id: 'x',
  label: 'a.ts:3',
  languageId: 'ts',
  path: 'src/a.ts',
  range: { startLine: 3, endLine: 3 },
  text: 'const a = 1;',
};

export async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  throw new ServiceError('cancelled');
}

export function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export const lastAnswer = (messages: readonly Message[]): Answer => {
  const last = messages.at(-1);
  assert.ok(last?.role === 'assistant');
  return last;
};

export function textsOf(messages: readonly (Message | undefined)[]): (string | undefined)[] {
  return messages.map((message) => message?.text);
}

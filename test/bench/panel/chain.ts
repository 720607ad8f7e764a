/** The whole way of an answer: service → client → session → outbox → the panel's page, and back to the service with Stop. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../src/base/clock.ts';
import type { Attachment } from '../../../src/chat/conversation/attachment.ts';
import { emptyConversation, type Message } from '../../../src/chat/conversation/conversation.ts';
import { createSession, type Session } from '../../../src/chat/session.ts';
import { createOutbox } from '../../../src/chat/ui/panel/page/outbox.ts';
import { ApiKey } from '../../../src/service/apiKey.ts';
import { createChatClient } from '../../../src/service/chat/chat.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import type { MessageView } from '../../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, Patch, ToChatPanel } from '../../../src/webview/shared/protocol/protocol.ts';
import { testKey } from '../../contract/client.ts';
import type { ReferenceService } from '../../service/options.ts';
import { createReferenceService } from '../../service/server.ts';
import { connected, openChatPage } from '../../ui/chatPage.ts';
import { strings } from '../../ui/strings.ts';
import { createBenchTransport } from '../client/parley.ts';
import { chipView, shortPatchView } from './views.ts';

/** A message of the host to the page. */
export interface Sent {
  /** By the clock of this process, in milliseconds. */
  readonly at: number;
  /** As JSON, in bytes. */
  readonly bytes: number;
}

export interface Chain {
  readonly session: Session;
  readonly service: ReferenceService;
  readonly sent: readonly Sent[];
  /** Has the service give this answer, as it would stream it, and resolves when the page has drawn all of it. */
  answer(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChainOptions {
  /** How fast the service streams; undefined: as fast as it is read. */
  readonly tokensPerSecond?: number;
  /** Asks in the place of the service. */
  readonly client?: Pick<ServiceClient, 'chat'>;
  /** The only text that is pasted. */
  readonly pasted?: string;
}

/** @param page an empty one, which the panel's page is loaded into */
export async function openChain(page: Page, { client, pasted = '', ...options }: ChainOptions = {}): Promise<Chain> {
  const service = await createReferenceService(options);
  const transport = createBenchTransport();
  const sent: Sent[] = [];
  let attachments: Attachment[] = [];
  let isClosed = false;
  let told = '';
  const outbox = createOutbox<MessageView>((patches) => void post({ type: 'patches', patches }));
  const session = createSession(emptyConversation('c1', Date.now()), {
    client: client ?? createChatClient(transport),
    endpoint: async () => ({ baseUrl: service.baseUrl, model: 'parley-chat', apiKey: new ApiKey(testKey) }),
    settings: () => ({ stream: true, systemPrompt: '', extra: {} }),
    clock: systemClock,
    newId: randomUUID,
    onAction: () => {},
    onConfigure() {},
    instructions: async () => [],
    onPatches: send,
    onFault: (fault) => console.error(fault),
  });

  /** As the chat panel does. */
  function send(patches: readonly Patch<Message>[]): void {
    outbox.push(patches.map((patch) => shortPatchView(patch, session.conversation.messages)));
    if (patches.some(({ change }) => change.kind !== 'append')) void postState();
  }

  async function postState(): Promise<void> {
    const state = { ...connected, chips: attachments.map(chipView) };
    const json = JSON.stringify(state);
    if (isClosed || json === told) return;
    told = json;
    await post({ type: 'state', state });
  }

  async function post(message: ToChatPanel): Promise<void> {
    const json = JSON.stringify(message);
    sent.push({ at: performance.now(), bytes: Buffer.byteLength(json) });
    await page.evaluate((text) => globalThis.postMessage(JSON.parse(text)), json);
  }

  async function handle(message: FromChatPanel): Promise<void> {
    if (message.type === 'drawn') outbox.drawn(message.seq);
    else if (message.type === 'pasteText') attach(Number(message.text));
    else if (message.type === 'send') await session.ask(message.text, attachments.splice(0));
    else if (message.type === 'stop') await session.stop();
    else if (message.type === 'ready') await show();
  }

  function attach(length: number): void {
    if (length !== pasted.length) throw new Error(`Of ${pasted.length} characters ${length} were pasted.`);
    const lines = pasted.split('\n').length;
    attachments = [
      {
        ...{
          id: randomUUID(),
          kind: 'pasted',
          label: `Pasted text, ${lines} lines`,
          path: '',
          languageId: '',
          text: pasted,
        },
        range: { startLine: 1, endLine: lines },
      },
    ];
    void postState();
  }

  async function show(): Promise<void> {
    outbox.reset([], session.conversation.seq);
    const { id: conversation, seq } = session.conversation;
    await post({ type: 'show', strings, conversation, seq, messages: [], state: connected, fields: [] });
  }

  const { theme } = await openChatPage(page);
  await theme('dark');
  await hearPage(page, handle);
  await show();
  return {
    session,
    service,
    sent,
    async answer(text) {
      const answer = await session.ask(`say: ${text}`, []);
      if (answer?.role !== 'assistant' || answer.text !== text)
        throw new Error('The answer is not what was asked for.');
      await page.waitForFunction(isAllDrawn, session.conversation.seq);
    },
    async close() {
      await session.stop();
      isClosed = true;
      await transport.close();
      await service.close();
    },
  };
}

/** Hands over what the page posts from now on, as it comes. */
async function hearPage(page: Page, handle: (message: FromChatPanel) => Promise<void>): Promise<void> {
  const name = `toHost${randomUUID().replaceAll('-', '')}`;
  await page.exposeFunction(name, (message: FromChatPanel) => handle(message));
  await page.evaluate((key) => {
    const toHost = (globalThis as unknown as Record<string, (message: unknown) => void>)[key];
    globalThis.posted.push = function (this: unknown[], message: unknown) {
      // A megabyte through the debugger's channel would hold up the browser's pictures; VS Code's own takes none of the page's time.
      const { type, text } = message as { type: string; text?: string };
      toHost?.(type === 'pasteText' ? { type, text: String(text?.length) } : message);
      return Array.prototype.push.call(this, message);
    };
  }, name);
}

/** Runs in the page: the end of the answer is drawn, and the frame after that. */
async function isAllDrawn(seq: number): Promise<boolean> {
  const isDrawn = globalThis.posted.some((each) => {
    const message = each as FromChatPanel;
    return message.type === 'drawn' && message.seq >= seq;
  });
  const hasEnd = document.querySelector('.answer:last-of-type .footer') !== null;
  if (!isDrawn || !hasEnd) return false;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return true;
}

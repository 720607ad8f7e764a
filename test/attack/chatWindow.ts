/**
 * A window of its own: a process that asks, and streams the answer into the conversation on the disk as the chat panel does,
 * until it is killed. It says what happens with the length of the answer's text, a line each: `asked` when the question is on
 * the disk, `text` came, `due` is what was there a second ago, and so has to be on the disk by now; a second length is of what
 * another reader finds there.
 * `node chatWindow.ts <folder of conversations> <base URL> <id of the conversation>`
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { nextTurn } from '../../src/base/nextTurn.ts';
import { emptyConversation } from '../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../src/chat/history/history.ts';
import { createSession } from '../../src/chat/session.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { createTestTransport, testKey } from '../contract/client.ts';

/** What a crash may lose, in milliseconds. */
const lostMs = 1000;

const [folder = '', baseUrl = '', id = ''] = process.argv.slice(2);
const transport = createTestTransport();
const history = createHistory(folder);
const kept = await history.open(id);
const log = kept?.log ?? history.begin(id);
const initial = kept?.conversation ?? emptyConversation(id, Date.now());
let isCreated = kept !== undefined;

const session = createSession(initial, {
  client: createChatClient(transport),
  endpoint: async () => ({ baseUrl, model: 'parley-chat', apiKey: new ApiKey(testKey) }),
  settings: () => ({ stream: true, systemPrompt: '', extra: {} }),
  instructions: async () => [],
  onConfigure() {},
  clock: systemClock,
  newId: randomUUID,
  onAction(action) {
    if (!isCreated) log.append({ type: 'create', id, at: initial.createdAt });
    isCreated = true;
    log.append(action);
  },
  onPatches() {
    const length = textLength();
    say('text', length);
    due ??= setTimeout(() => void tellDue(length), lostMs);
  },
  onFault: (fault) => say(String(fault)),
});
let due: NodeJS.Timeout | undefined;

/**
 * A reading comes after the writes that were begun before it: however slow the machine is, what such a write had to take in is
 * on the disk then. A write that has not even begun is too late.
 */
async function tellDue(length: number): Promise<void> {
  due = undefined;
  session.follow((await log.readNew()).actions);
  const found = await createHistory(folder).open(id);
  say('due', length, found === undefined ? 0 : textLength(found.conversation));
}

function textLength({ messages } = session.conversation): number {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.text.length : 0;
}

function say(what: string, ...lengths: number[]): void {
  writeSync(1, `${[what, ...lengths].join(' ')}\n`);
}

const answering = session.ask('Please count to 20000.', []);
await nextTurn();
await log.flush();
say('asked');
await answering;
await log.flush();
clearTimeout(due);
say('ends');
await transport.close();

/**
 * A window of its own: a process that asks, and streams the answer into the conversation on the disk as the chat panel does,
 * until it is killed. It says what happens with the length of the answer's text, a line each: `text` came, a write `begins`
 * or is `done`; `due` is what was there two seconds ago, and so has to be in a write by now.
 * `node chatWindow.ts <folder of conversations> <base URL> <id of the conversation>`
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { emptyConversation } from '../../src/chat/conversation.ts';
import { createAutosave, saveEveryMs } from '../../src/chat/history/autosave.ts';
import { createHistory } from '../../src/chat/history/history.ts';
import { createSession } from '../../src/chat/session.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { createChatClient } from '../../src/service/chat/chat.ts';
import { createTestTransport, testKey } from '../contract/client.ts';

const [folder = '', baseUrl = '', id = ''] = process.argv.slice(2);
const transport = createTestTransport();
const history = createHistory(folder);

const session = createSession((await history.load(id)) ?? emptyConversation(id, Date.now()), {
  client: createChatClient(transport),
  endpoint: async () => ({ baseUrl, model: 'parley-chat', apiKey: new ApiKey(testKey) }),
  settings: () => ({ stream: true, systemPrompt: '', extra: {} }),
  clock: systemClock,
  newId: randomUUID,
  onPatches() {
    autosave.changed();
    say('text');
    if (due !== undefined) return;
    const length = textLength();
    due = setTimeout(() => {
      due = undefined;
      say('due', length);
    }, saveEveryMs);
  },
  onFault: (fault) => say(String(fault)),
});
let due: NodeJS.Timeout | undefined;
const autosave = createAutosave(async () => {
  const length = textLength();
  say('begins', length);
  await history.save(session.conversation);
  say('done', length);
});

function textLength(): number {
  const last = session.conversation.messages.at(-1);
  return last?.role === 'assistant' ? last.text.length : 0;
}

function say(what: string, length = textLength()): void {
  writeSync(1, `${what} ${length}\n`);
}

const answering = session.ask('Please count to 20000.', []);
setImmediate(() => void autosave.save());
await answering;
await autosave.save();
clearTimeout(due);
say('ends');
await transport.close();

import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Answer, Conversation, Message } from '../../src/chat/conversation/conversation.ts';
import { createHistory, type Kept } from '../../src/chat/history/history.ts';
import { createReferenceService } from '../service/server.ts';
import { createRandom } from './chatState.ts';
import { openWindow, type Window } from './openWindow.ts';
import { sized } from './size.ts';

const kills = sized(30, 4);
const cuts = sized(10, 2);

test('an answer that is killed again and again leaves all that was there a second before, and opens again', async (t) => {
  const random = createRandom(20_261_123);
  const { folder, file, open } = await setUp(t);
  let before: Conversation | undefined;
  let killed = 0;
  for (let time = 0; time < kills; time++) {
    const window = open();
    // A piece of text comes every 40 ms: some are killed before the first of it is written, some after the sixth write.
    const pieces = 1 + Math.floor(random() * 100);
    await window.untilLines((lines) => lines.filter((line) => line.startsWith('text')).length >= pieces);
    setTimeout(() => window.process.kill('SIGKILL'), random() * 20);
    if ((await window.ended) === 'SIGKILL') killed++;
    const lines = window.lines.map(read);
    const isAsked = lines.some(({ what }) => what === 'asked');
    if (!existsSync(file) || statSync(file).size === 0) {
      assert.ok(before === undefined && !isAsked, 'what was written is there');
      continue;
    }
    const { conversation, corrupted } = await opened(folder);
    assert.equal(corrupted, 0);
    const turns = conversation.messages.length - (before?.messages.length ?? 0);
    assert.ok(isAsked ? turns === 2 : turns >= 0 && turns <= 2, `${turns} messages were added by ${window.lines}`);
    assertKept(before, conversation);
    for (const message of conversation.tree.values()) assertCut(message);
    const last = isAsked ? answerOf(conversation) : undefined;
    for (const { what, length, written } of lines) {
      if (what !== 'due') continue;
      const found = Math.min(written, last?.text.length ?? 0);
      assert.ok(found >= length, `${length} characters were there a second ago, and ${found} are on the disk`);
    }
    before = conversation;
  }
  assert.equal(killed, kills);
  const count = before?.messages.length ?? 0;
  assert.ok(count >= kills, `${count} messages are kept`);
  for (const name of readdirSync(folder)) assert.equal(lstatSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(readdirSync(folder), ['c.jsonl']);
});

test('a line that a kill cut in the middle is skipped, and the lines of the next window are read', async (t) => {
  const random = createRandom(20_261_124);
  const { folder, file, open } = await setUp(t);
  let before: Conversation | undefined;
  for (let time = 0; time < cuts; time++) {
    const window = open();
    await window.untilLines((lines) => lines.some((line) => /^due [1-9]/.test(line)));
    window.process.kill('SIGKILL');
    await window.ended;
    const whole = await opened(folder);
    assert.equal(whole.corrupted, time, 'the lines that were cut, each ended by the next window');
    assertKept(before, whole.conversation);
    assert.equal(whole.conversation.messages.length, 2 * (time + 1));

    const bytes = readFileSync(file);
    const start = bytes.lastIndexOf('\n') + 1;
    truncateSync(file, start + 1 + Math.floor(random() * (bytes.length - start - 1)));
    const { conversation, corrupted } = await opened(folder);
    assert.equal(corrupted, time, 'the last line may be one that is being written');
    assertKept(before, conversation);
    const text = answerOf(whole.conversation).text;
    const left = answerOf(conversation).text;
    assert.ok(text.startsWith(left) && left.length < text.length, `${left.length} of ${text.length} characters`);
    before = conversation;
  }
});

interface Place {
  readonly folder: string;
  /** The conversation's. */
  readonly file: string;
  open(): Window;
}

async function setUp(t: TestContext): Promise<Place> {
  const service = await createReferenceService({ tokenDelayMs: 2 });
  const folder = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = () => openWindow(t, 'chatWindow.ts', [folder, service.baseUrl, 'c']);
  return { folder, file: join(folder, 'c.jsonl'), open };
}

/** The conversation as a window that is opened now finds it. */
async function opened(folder: string): Promise<Kept> {
  const kept = await createHistory(folder).open('c');
  assert.ok(kept !== undefined, 'the conversation opens');
  return kept;
}

/** Every message is there that was there before, each with the same text. */
function assertKept(before: Conversation | undefined, now: Conversation): void {
  for (const { id, text } of before?.tree.values() ?? []) {
    assert.equal(now.tree.get(id)?.text, text, 'an earlier message is kept as it was');
  }
  const shown = before?.messages.map(({ id }) => id) ?? [];
  assert.deepEqual(
    now.messages.slice(0, shown.length).map(({ id }) => id),
    shown,
    'the earlier turns are shown first',
  );
}

/** An answer of a window that was killed says so, and holds the beginning of what was streamed. */
function assertCut(message: Message): void {
  if (message.role !== 'assistant') return;
  const { state, error, isPresumedCut, text } = message;
  assert.deepEqual([state, error?.kind, isPresumedCut], ['failed', 'truncated', true]);
  assert.ok(expected().startsWith(text), text.slice(-100));
}

function answerOf({ messages }: Conversation): Answer {
  const last = messages.at(-1);
  assert.ok(last?.role === 'assistant');
  return last;
}

interface Said {
  what: string;
  /** Characters of the answer. */
  length: number;
  /** Characters of it that were on the disk. */
  written: number;
}

function read(line: string): Said {
  const [what = '', length = 0, written = 0] = line.split(' ');
  return { what, length: Number(length), written: Number(written) };
}

let counted = '';
/** The whole answer that is streamed. */
function expected(): string {
  counted ||= Array.from({ length: 20_000 }, (_, i) => `word${i + 1}`).join(' ');
  return counted;
}

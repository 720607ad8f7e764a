import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../src/base/errors.ts';
import { nextTurn } from '../../src/base/nextTurn.ts';
import { visiblePath } from '../../src/chat/conversation/path.ts';
import { createHistory, type Kept } from '../../src/chat/history/history.ts';
import { createSession, type Session } from '../../src/chat/session.ts';
import type { ChatEvent } from '../../src/service/chat/completion.ts';
import { createRandom, pick, stateOf } from './chatState.ts';
import { sized } from './size.ts';

/**
 * Windows that do things to one conversation while none of them has heard of the others: each writes and reads at moments of
 * its own. However that falls, all have to come to the same in the end, and the file has to say the same.
 */
const rounds = sized(300, 20);
const steps = 40;

test('questions, answers and choices that cross come to the same in all windows', async (t) => {
  await cross(t, [ask, edit, retry, choose]);
});

test('deletions that cross come to the same in all windows', async (t) => {
  await cross(t, [ask, choose, remove, remove, restore, restore, restore]);
});

test('an answer that another window stops comes to the same in all windows', async (t) => {
  await cross(t, [ask, retry, stop]);
});

test('names, pins and models that cross come to the same in all windows', async (t) => {
  await cross(t, [ask, rename, pin, configure]);
});

test('all kinds of things that cross come to the same in all windows', async (t) => {
  await cross(t, [ask, ask, edit, retry, choose, stop, remove, restore, rename, pin, configure]);
});

/** Something that a user does in a window. */
type Deed = (window: Window, random: () => number) => void;

const ask: Deed = ({ session, name }) => void session.ask(`asked in ${name}`, []);
const edit: Deed = (window, random) => void window.session.edit(messageOf(window, random), `edited in ${window.name}`);
const retry: Deed = (window, random) => void window.session.retry(messageOf(window, random));
const stop: Deed = ({ session }) => void session.stop();
const choose: Deed = (window, random) => window.session.choose(messageOf(window, random));
const remove: Deed = (window, random) => void window.session.delete(messageOf(window, random));
const restore: Deed = (window, random) => window.session.restore([messageOf(window, random)]);
const rename: Deed = ({ session, name }, random) => session.rename(`${name} ${random()}`);
const configure: Deed = ({ session, name }, random) => {
  const value = random();
  if (value < 0.5) session.configure({ model: value < 0.1 ? null : `${name} ${value}` });
  else session.configure({ parameters: { temperature: value, seed: null }, instructions: { [name]: value < 0.75 } });
};
const pin: Deed = ({ session }, random) => session.pin(random() < 0.5);

function messageOf({ session }: Window, random: () => number): string {
  return pick(random, [...session.conversation.tree.keys()]) ?? '';
}

interface Window {
  readonly name: string;
  readonly session: Session;
  /** Lets the answer that is being written go on by a piece. */
  answerMore(): void;
  /** Lets the answer that is being written end. */
  answerWhole(): void;
  write(): Promise<void>;
  read(): Promise<void>;
}

async function cross(t: TestContext, deeds: readonly Deed[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (let round = 0; round < rounds; round++) {
    const random = createRandom(round);
    const id = `c${round}`;
    await begin(folder, id);
    const time = { now: 1000 };
    const windows = [await openWindow(folder, id, 'one', time), await openWindow(folder, id, 'two', time)];
    // It may find answers that are being written, which look cut off to it until it hears more.
    const latecomer = Math.floor(random() * steps);
    for (let step = 0; step < steps; step++) {
      if (step === latecomer) windows.push(await openWindow(folder, id, 'three', time));
      const window = pick(random, windows) as Window;
      if (random() < 0.5) time.now++;
      const kind = random();
      if (kind < 0.4) (pick(random, deeds) as Deed)(window, random);
      else if (kind < 0.6) window.answerMore();
      else if (kind < 0.7) window.answerWhole();
      else if (kind < 0.85) await window.write();
      else await window.read();
      await settled();
      assertShown(window, `round ${round}, step ${step}`);
    }
    for (const window of windows) {
      while (window.session.busy) {
        window.answerWhole();
        await settled();
      }
      await window.write();
    }
    const { conversation: inFile, corrupted } = await open(folder, id);
    assert.equal(corrupted, 0);
    for (const window of windows) {
      await window.read();
      assertShown(window, `round ${round}`);
      const { conversation } = window.session;
      assert.deepEqual(stateOf(conversation), stateOf(inFile), `round ${round}, window ${window.name}`);
    }
  }
}

/** The path that a window shows is the one through its tree, though it changed step by step. */
function assertShown({ session }: Window, when: string): void {
  const { conversation } = session;
  assert.deepEqual(conversation.messages, visiblePath(conversation), when);
}

async function begin(folder: string, id: string): Promise<void> {
  const log = createHistory(folder).begin(id);
  log.append({ type: 'create', id, at: 1000 });
  await log.flush();
}

/** A conversation as a window that has heard of nothing finds it. */
async function open(folder: string, id: string): Promise<Kept> {
  const kept = await createHistory(folder).open(id);
  assert.ok(kept !== undefined, 'the conversation opens');
  return kept;
}

async function openWindow(folder: string, id: string, name: string, time: { now: number }): Promise<Window> {
  const { conversation, log } = await open(folder, id);
  let ids = 0;
  let more = (_event: ChatEvent): void => {};

  /** The answer as the test lets it come. */
  async function* answer(_endpoint: unknown, _request: unknown, signal: AbortSignal) {
    while (true) {
      const event = await new Promise<ChatEvent>((resolve, reject) => {
        more = resolve;
        if (signal.aborted) reject(new ServiceError('cancelled'));
        signal.addEventListener('abort', () => reject(new ServiceError('cancelled')), { once: true });
      });
      yield event;
      if (event.type === 'finish') return;
    }
  }

  const session = createSession(conversation, {
    client: { chat: answer },
    endpoint: async () => ({ baseUrl: 'http://localhost/v1', model: 'm' }),
    settings: () => ({ stream: true, systemPrompt: '', extra: {} }),
    instructions: async () => [],
    onConfigure() {},
    clock: { now: () => time.now, random: () => 0, sleep: async () => {} },
    newId: () => `${name}${ids++}`,
    onAction: (action) => log.append(action),
    onPatches: () => {},
    onFault: (fault) => assert.fail(String(fault)),
  });

  return {
    name,
    session,
    answerMore: () => more({ type: 'text', choice: 0, text: `${name}. ` }),
    answerWhole: () => more({ type: 'finish', choice: 0, reason: 'stop' }),
    write: () => log.flush(),
    read: async () => session.follow((await log.readNew()).actions),
  };
}

/** All that a deed leads to has happened: a few turns, since nothing in it waits for the disk or for time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

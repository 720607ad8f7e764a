/**
 * A window of its own: a process that does all kinds of things to a conversation which another window has open, too, as the
 * chat panel does, and follows what that one does. It says `ready`, and begins with a SIGTERM; it says `done`, and with another
 * one reads for the last time, and writes down what it did and what it came to.
 * `node chatActionsWindow.ts <its part, as JSON>`
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync, writeSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { nextTurn } from '../../src/base/nextTurn.ts';
import type { Action } from '../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../src/chat/history/history.ts';
import { createSession } from '../../src/chat/session.ts';
import type { ChatEvent } from '../../src/service/chat/completion.ts';
import { createRandom, pick, stateOf } from './chatState.ts';

export interface Part {
  readonly folder: string;
  readonly id: string;
  /** The name of this window, with which its questions begin. */
  readonly name: string;
  /** Actions that it takes, at least. */
  readonly count: number;
  /** Characters that a question has, about. */
  readonly letters: number;
  readonly seed: number;
  /** The file for what it did. */
  readonly out: string;
}

export interface Done {
  readonly actions: Action[];
  readonly state: unknown;
}

const { folder, id, name, count, letters, seed, out }: Part = JSON.parse(process.argv[2] ?? '');
const random = createRandom(seed);
const history = createHistory(folder);
const kept = await history.open(id);
if (kept === undefined) throw new Error('The conversation does not open.');
const { log } = kept;
const actions: Action[] = [];
let questions = 0;

const session = createSession(kept.conversation, {
  client: { chat: answer },
  endpoint: async () => ({ baseUrl: 'http://localhost/v1', model: 'm' }),
  settings: () => ({ stream: true, systemPrompt: '', extra: {} }),
  instructions: async () => [],
  onConfigure() {},
  // Text is passed on at once: an answer comes in several actions.
  clock: { ...systemClock, sleep: nextTurn },
  newId: randomUUID,
  onAction(action) {
    actions.push(action);
    log.append(action);
  },
  onPatches: () => {},
  onFault(fault) {
    throw fault;
  },
});

async function* answer(): AsyncGenerator<ChatEvent, void, undefined> {
  for (let piece = 0; piece < 4; piece++) {
    yield { type: 'text', choice: 0, text: `${name} says word${piece}. ` };
    await nextTurn();
    await nextTurn();
  }
  yield { type: 'finish', choice: 0, reason: 'stop' };
}

async function follow(): Promise<void> {
  session.follow((await log.readNew()).actions);
}

/** Says where it is, and resolves when it is to go on. */
function told(line: string): Promise<unknown> {
  const signal = once(process, 'SIGTERM');
  writeSync(1, `${line}\n`);
  return signal;
}

/** A question as the panel asks it: written when it begins and when its answer has ended. */
async function hold(asking: Promise<unknown>): Promise<void> {
  await nextTurn();
  await log.flush();
  await asking;
  await log.flush();
}

const ask = (text: string): Promise<void> => hold(session.ask(text, []));
const nextQuestion = (): string => `${name} asks ${++questions} ${'x'.repeat(letters)}`;

/** Does something to a message of either window. */
async function act(): Promise<void> {
  const { tree, deleted } = session.conversation;
  const message = pick(random, [...tree.values()]);
  const kind = random();
  if (message === undefined || kind < 0.15) return ask(nextQuestion());
  if (kind < 0.25 && message.role === 'user') return hold(session.edit(message.id, nextQuestion()));
  if (kind < 0.35 && message.role === 'user') return hold(session.retry(message.id));
  if (kind < 0.65) session.choose(message.id);
  else if (kind < 0.85) session.delete(message.id);
  else session.restore([pick(random, [...deleted])].filter((each) => each !== undefined));
  await log.flush();
}

/** Neither the watch nor a signal that is to come keeps a process alive. */
const alive = setInterval(() => {}, 2 ** 30);
const stop = await history.watch(() => void follow());
await told('ready');
while (actions.length < count) await act();
await told('done');
stop();
await follow();
const done: Done = { actions, state: stateOf(session.conversation) };
writeFileSync(out, JSON.stringify(done));
clearInterval(alive);

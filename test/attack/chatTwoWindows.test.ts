import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Action } from '../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../src/chat/history/history.ts';
import { readLog } from '../../src/chat/history/logLine.ts';
import { createReferenceService } from '../service/server.ts';
import type { Done, Part } from './chatActionsWindow.ts';
import { joined, stateOf } from './chatState.ts';
import { openWindow } from './openWindow.ts';
import { sized } from './size.ts';

test('windows that stream answers into the same folder at once each keep theirs, and all are listed', async (t) => {
  const service = await createReferenceService({ tokenDelayMs: 0 });
  const folder = newFolder(t);
  t.after(() => service.close());
  const ids = Array.from({ length: sized(6, 2) }, (_, index) => `c${index}`);
  const windows = ids.map((id) => openWindow(t, 'chatWindow.ts', [folder, service.baseUrl, id]));
  await Promise.all(windows.map(({ ended }) => ended));
  const history = createHistory(folder);
  for (const [index, id] of ids.entries()) {
    const last = (await history.open(id))?.conversation.messages.at(-1);
    assert.ok(last?.role === 'assistant' && last.state === 'complete', `${id}: ${windows[index]?.lines.at(-1)}`);
    assert.ok(last.text.endsWith('word20000'), last.text.slice(-40));
  }
  assert.deepEqual((await history.list()).map(({ id }) => id).sort(), ids);
});

test('two windows that write into one conversation at once lose nothing, and come to the same', async (t) => {
  await writeAtOnce(t, { count: sized(500, 100), letters: 20 });
});

test('two windows that write long lines into one conversation at once do not write into each other’s', async (t) => {
  await writeAtOnce(t, { count: sized(150, 60), letters: 2_000_000 });
});

async function writeAtOnce(t: TestContext, load: Pick<Part, 'count' | 'letters'>): Promise<void> {
  const folder = newFolder(t);
  const results = newFolder(t);
  const log = createHistory(folder).begin('c');
  log.append({ type: 'create', id: 'c', at: Date.now() });
  await log.flush();

  const parts = ['one', 'two'].map((name, i): Part => {
    return { ...load, folder, id: 'c', name, seed: 20_261_125 + i, out: join(results, `${name}.json`) };
  });
  const windows = parts.map((part) => openWindow(t, 'chatActionsWindow.ts', [JSON.stringify(part)]));
  for (const line of ['ready', 'done']) {
    await Promise.all(windows.map(({ says }) => says(line)));
    for (const window of windows) window.process.kill('SIGTERM');
  }
  assert.deepEqual(await Promise.all(windows.map(({ ended }) => ended)), [null, null]);

  const kept = await createHistory(folder).open('c');
  assert.ok(kept !== undefined, 'the conversation opens');
  assert.equal(kept.corrupted, 0, 'every line is whole');
  const written = actionsByWriter(join(folder, 'c.jsonl'));
  for (const { name, out, count } of parts) {
    const { actions, state }: Done = JSON.parse(readFileSync(out, 'utf8'));
    assert.ok(actions.length >= count, `${actions.length} actions`);
    const mine = written.find((all) => all.some((action) => action.type === 'ask' && action.text.startsWith(name)));
    assert.ok(mine !== undefined);
    assert.deepEqual(joined(mine), joined(actions), 'every action is in the file, in the order in which it was taken');
    assert.deepEqual(state, stateOf(kept.conversation), `the window ${name} has what the file says`);
  }
}

/** What each window has written into a conversation's file. */
function actionsByWriter(file: string): readonly Action[][] {
  const byWriter = new Map<string, Action[]>();
  for (const { writer, action } of readLog(readFileSync(file)).entries) {
    byWriter.set(writer, [...(byWriter.get(writer) ?? []), action]);
  }
  return [...byWriter.values()];
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHistory } from '../../src/chat/history/history.ts';
import { createReferenceService } from '../service/server.ts';
import { openWindow } from './openWindow.ts';
import { sized } from './size.ts';

const kills = sized(20, 4);

/** The same moments in each run, as far as the machine lets them be. */
let seed = 20_261_123;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
}

interface Said {
  what: string;
  length: number;
}

test('an answer that is killed again and again leaves a whole file, without the last two seconds at most', async (t) => {
  const service = await createReferenceService({ tokenDelayMs: 2 });
  const folder = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const history = createHistory(folder);
  const file = join(folder, 'c.json');
  let messages = 0;
  let killed = 0;
  for (let time = 0; time < kills; time++) {
    const window = openWindow(t, 'chatWindow.ts', [folder, service.baseUrl, 'c']);
    // A piece of text comes every 40 ms: some are killed before the first write, some after the second.
    const pieces = 1 + Math.floor(random() * 100);
    await window.untilLines((lines) => lines.filter((line) => line.startsWith('text')).length >= pieces);
    setTimeout(() => window.process.kill('SIGKILL'), random() * 20);
    if ((await window.ended) === 'SIGKILL') killed++;
    const lines = window.lines.map(read);
    const written = lines.filter(({ what }) => what === 'done');
    assert.equal(existsSync(file) || written.length === 0, true, 'what was written is there');
    if (!existsSync(file)) continue;
    assert.doesNotThrow(() => JSON.parse(readFileSync(file, 'utf8')), 'the file is whole');
    const found = await history.load('c');
    assert.ok(found !== undefined && found.messages.length >= messages, 'no earlier answer is lost');
    if (written.length > 0) assert.equal(found.messages.length, messages + 2);
    messages = found.messages.length;
    const last = found.messages.at(-1);
    if (written.length > 0) {
      assert.ok(last?.role === 'assistant' && last.state === 'failed' && last.error?.kind === 'truncated');
      assert.ok(last.text.length >= (written.at(-1)?.length ?? 0), 'what was said to be written is there');
      assert.ok(expected().startsWith(last.text), last.text.slice(-100));
    }
    for (const [index, { what, length }] of lines.entries()) {
      if (what !== 'due') continue;
      const isOnItsWay = lines.slice(0, index).some((each) => each.what === 'begins' && each.length >= length);
      assert.ok(isOnItsWay, `what came two seconds ago is in no write: ${window.lines.slice(0, index + 1).join(', ')}`);
    }
  }
  assert.equal(killed, kills);
  assert.ok(messages >= kills, `${messages} messages are kept`);
  for (const name of readdirSync(folder)) assert.equal(lstatSync(join(folder, name)).mode & 0o777, 0o600, name);
});

function read(line: string): Said {
  const [what = '', length = ''] = line.split(' ');
  return { what, length: Number(length) };
}

let counted = '';
/** The whole answer that is streamed. */
function expected(): string {
  counted ||= Array.from({ length: 20_000 }, (_, i) => `word${i + 1}`).join(' ');
  return counted;
}

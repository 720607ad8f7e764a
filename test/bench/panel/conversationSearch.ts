import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action } from '../../../src/chat/conversation/conversation.ts';
import { createHistory } from '../../../src/chat/history/history.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { codeAnswer, range } from './texts.ts';

const conversations = 500;
const turnsEach = 10;
const repeats = 20;

/** A search of all conversations that are kept: 10,000 messages, as the list asks for it while somebody types. */
export async function measureConversationSearch(tell: (text: string) => void): Promise<Row[]> {
  tell('panel: search of conversations');
  const folder = await mkdtemp(join(tmpdir(), 'parley-conversations-'));
  try {
    const writing = createHistory(folder);
    for (const at of range(conversations)) await writing.add(actionsOf(at));
    const history = createHistory(folder);
    const began = performance.now();
    assert.equal((await history.list()).length, conversations);
    const reading = performance.now() - began;
    assert.equal(history.search('harbour').leftOut, 0);
    const queries = [
      's',
      'st',
      'step',
      'harbour office',
      '"what is the tide"',
      'needle250',
      'nothing-has-this',
      'tide harbour step boat',
    ];
    const times = queries.map((query) => ({
      query,
      took: median(range(repeats).map(() => timeOf(() => history.search(query)))),
    }));
    const slowest = times.reduce((most, each) => (each.took > most.took ? each : most));
    const bench = 'panel';
    return [
      toRow({
        bench,
        metric: `Search of ${conversations * turnsEach * 2} messages, slowest of ${queries.length} (${slowest.query})`,
        value: slowest.took,
        unit: 'ms',
        goal: { of: 'value', is: '<=', bound: 50 },
      }),
      toRow({ bench, metric: 'The same: reading the files, once', value: reading, unit: 'ms' }),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Questions and answers of about 1,000 characters. */
function actionsOf(conversation: number): Action[] {
  const text = codeAnswer();
  const turns = range(turnsEach).flatMap((turn): Action[] => {
    const [question, answer] = [`q${turn}`, `a${turn}`];
    const from = ((conversation * turnsEach + turn) * 977) % (text.length - 1000);
    const words = `what is the tide in step ${turn}? needle${conversation}`;
    const parent = turn === 0 ? {} : { parent: `a${turn - 1}` };
    return [
      { type: 'ask', id: question, ...parent, text: words, attachments: [], at: 10 * turn + 1 },
      { type: 'answer', id: answer, parent: question, at: 10 * turn + 2 },
      { type: 'append', id: answer, field: 'text', text: text.slice(from, from + 1000) },
      { type: 'end', id: answer, state: 'complete', totalMs: 1, at: 10 * turn + 3 },
    ];
  });
  return [{ type: 'create', id: `c${conversation}`, at: 1 }, ...turns];
}

function timeOf(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

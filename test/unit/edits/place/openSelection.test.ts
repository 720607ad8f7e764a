import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyLineEdits } from '../../../../src/edits/place/lines/lineEdit.ts';
import { planEdit } from '../../../../src/edits/plan.ts';

const typescript = [
  'function deep(boat: Boat): boolean {',
  '  const keel = boat.draught;',
  '  return keel > 1;',
  '}',
  'deep(b);',
];
const python = ['def deep(boat):', '    keel = boat.draught', '    return keel > 1', '', 'deep(b)'];

/** What an answer to lines that were selected makes of a file; undefined where nothing of it has a place. */
async function edited(path: string, lines: readonly string[], last: number, answer: readonly string[]) {
  const text = ['```', ...answer, '```'].join('\n');
  const document = { path, lines, selection: { first: 0, last } };
  const plan = await planEdit({ text, finishReason: 'stop' }, document);
  return plan.kind === 'edits' && plan.unplaced.length === 0
    ? applyLineEdits(lines, plan.files[0]?.edits ?? [])
    : undefined;
}

describe('the beginning of a declaration that was selected', () => {
  it('is written anew by the same beginning, and the rest of the declaration stays', async () => {
    const head = 'function deep(boat: Boat): Verdict {';
    assert.deepEqual(await edited('a.ts', typescript, 0, [head]), [head, ...typescript.slice(1)]);
    const two = ['function deep(ship: Boat): boolean {', '  const keel = ship.draught;'];
    assert.deepEqual(await edited('a.ts', typescript, 1, two), [...two, ...typescript.slice(2)]);
    assert.deepEqual(await edited('a.py', python, 0, ['def deep(ship):']), ['def deep(ship):', ...python.slice(1)]);
  });

  it('brings all of the declaration where that is what came', async () => {
    const whole = ['function deep(boat: Boat): Verdict {', '  return boat.draught > 1;', '}'];
    assert.deepEqual(await edited('a.ts', typescript, 0, whole), [...whole, 'deep(b);']);
    const line = 'function deep(boat: Boat): Verdict { return boat.draught > 1; }';
    assert.notDeepEqual(await edited('a.ts', typescript, 0, [line]), [line, ...typescript.slice(1)]);
    const short = 'def deep(boat): return boat.draught > 1';
    assert.notDeepEqual(await edited('a.py', python, 0, [short]), [short, ...python.slice(1)]);
  });
});

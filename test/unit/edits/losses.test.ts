import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkEdits, fileOf, type RandomEdit, unnamedLosses } from '../../properties/edits.ts';

describe('What an edit takes away', () => {
  it('is named by the answer, whatever the file and the answer are', async () => {
    await checkEdits(1_500, 11);
  });

  it('would be told if it were not', async () => {
    const part = (name: string, mark: number): RandomEdit['parts'][number] => ({
      name,
      kind: 'function',
      lines: [`export function ${name}(a: number): number {`, `  return use(a, mark${mark});`, '}'],
      members: [],
    });
    const edit: RandomEdit = {
      language: 'ts',
      parts: [part('name0', 0), part('name1', 1)],
      changes: ['taken', 'taken', 'taken', 'taken', 'taken', 'taken', 'taken'],
      way: 'edit',
      selected: [0, 1],
      instruction: '',
    };
    assert.equal(fileOf(edit).length, 7);
    assert.deepEqual(await unnamedLosses(edit), []);
    // All of the file is given anew, and one function in it is another one: what it was is not named.
    const other: RandomEdit = { ...edit, way: 'answer', changes: ['left out', ...edit.changes.slice(1)] };
    assert.deepEqual(await unnamedLosses(other, (code) => code), []);
    assert.equal(
      (await unnamedLosses(other, (code) => code.replaceAll('name1', 'name0').replaceAll('mark1', 'x'))).length,
      1,
    );
  });
});

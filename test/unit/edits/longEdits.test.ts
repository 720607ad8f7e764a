import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { declarationsByKey, findDeclarations } from '../../../src/edits/place/declarations.ts';
import { applyLineEdits } from '../../../src/edits/place/lineEdit.ts';
import { changedFile, longEdits, longFile } from '../../corpus/longEdits.ts';

/** A list that counts how often one of its lines is read. */
function counted(lines: readonly string[]): { readonly lines: readonly string[]; reads: number } {
  const count = { lines, reads: 0 };
  count.lines = new Proxy(lines, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count.reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return count;
}

describe('Many changes of a long file', () => {
  const file = longFile(6_000);

  for (const [at, { form }] of longEdits(file, 100).entries())
    it(`are placed by one look at the file: ${form}`, () => {
      const [few, many] = [1, 100].map((changes) => {
        const own = counted(file);
        const edit = longEdits(own.lines, changes)[at] ?? assert.fail();
        own.reads = 0;
        const plan = edit.plan();
        assert.ok(plan.kind === 'edits', JSON.stringify(plan));
        assert.deepEqual(applyLineEdits(file, plan.files[0]?.edits ?? []), changedFile(file, changes));
        return own.reads;
      }) as [number, number];
      assert.ok(many < few + 3 * file.length, `${few} reads for one change, ${many} for a hundred`);
    });

  it('are placed by declarations that are read once', () => {
    const own = counted(file);
    const read = findDeclarations(own.lines, 'code');
    own.reads = 0;
    assert.equal(findDeclarations(own.lines, 'code'), read);
    assert.equal(declarationsByKey(own.lines, 'code').get('function:name50')?.length, 1);
    assert.equal(own.reads, 0);
    assert.notDeepEqual(findDeclarations(own.lines, 'keys'), read);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyLineEdits } from '../../../src/edits/place/lines/lineEdit.ts';
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
    it(`are placed by few looks at the file: ${form}`, async () => {
      const reads: number[] = [];
      for (const changes of [1, 100]) {
        const own = counted(file);
        const edit = longEdits(own.lines, changes)[at] ?? assert.fail();
        own.reads = 0;
        const plan = await edit.plan();
        assert.ok(plan.kind === 'edits' && plan.unplaced.length === 0, JSON.stringify(plan));
        assert.deepEqual(applyLineEdits(edit.file, plan.files[0]?.edits ?? []), changedFile(edit.file, changes));
        reads.push(own.reads);
      }
      const [few = 0, many = 0] = reads;
      assert.ok(many < few + 6 * file.length, `${few} reads for one change, ${many} for a hundred`);
    });
});

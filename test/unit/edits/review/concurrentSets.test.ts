import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { type KeptSet, readKeptSet, writeKeptSet } from '../../../../src/edits/review/keptSet.ts';
import { pendingHunks, reviewFile } from '../../../../src/edits/review/reviewedFile.ts';
import { createSetFiles, type SetFiles } from '../../../../src/edits/review/setFiles.ts';
import { takeSets } from '../../../../src/edits/review/takeSets.ts';

const lines = ['one', 'two', 'three'];
const setOf = (id: string, line: number, time: number): KeptSet => ({
  id,
  title: id,
  instruction: '',
  time,
  files: [
    {
      uri: 'file:///a.ts',
      isNew: false,
      review: reviewFile(lines, [{ line, removed: 1, inserted: [`new ${line}`] }], id),
    },
  ],
});
const shownIn = (sets: readonly KeptSet[]): string[] =>
  sets.flatMap(({ id, files }) => (files.some(({ review }) => review.hunks.some(({ set }) => set === id)) ? [id] : []));

/** What a window does with its files: it writes its own sets, and looks at all of them. */
function openWindow(folder: string) {
  const files: SetFiles = createSetFiles(folder);
  let shown: readonly KeptSet[] = [];
  return {
    get shown() {
      return shownIn(shown);
    },
    async propose(set: KeptSet): Promise<void> {
      shown = [...shown, set];
      await files.write(set.id, writeKeptSet(set) ?? '');
    },
    async look(): Promise<void> {
      const texts = await Promise.all(((await files.ids()) ?? []).map((id) => files.read(id)));
      const all = texts.flatMap((found) => readKeptSet(found?.text ?? '') ?? []);
      const own = shown.filter(({ id }) => all.some((set) => set.id === id));
      shown = takeSets(
        own,
        all.filter(({ id }) => !own.some((set) => set.id === id)),
      ).taken;
    },
    async decide(): Promise<void> {
      const [first] = shown;
      if (first === undefined) return;
      assert.ok(first.files.some(({ review }) => pendingHunks(review).length > 0));
      shown = shown.filter((set) => set !== first);
      await files.remove(first.id);
    },
  };
}

describe('two windows that propose changes for the same file at the same moment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'parley-moment-')), 'proposed');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  it('keep both on the disk, whole, and each shows its own until it is decided on, and then the other', async () => {
    const [one, other] = [openWindow(folder), openWindow(folder)];
    // Neither has looked at what the other one wrote.
    await Promise.all([one.propose(setOf('10-1', 0, 1)), other.propose(setOf('10-2', 0, 1))]);
    await Promise.all([one.look(), other.look()]);
    assert.deepEqual([one.shown, other.shown], [['10-1'], ['10-2']]);
    await one.decide();
    await Promise.all([one.look(), other.look()]);
    assert.deepEqual([one.shown, other.shown], [['10-2'], ['10-2']]);
    await other.decide();
    await Promise.all([one.look(), other.look()]);
    assert.deepEqual([one.shown, other.shown], [[], []]);
  });

  it('keep both where the windows are closed before anything is decided on', async () => {
    const [one, other] = [openWindow(folder), openWindow(folder)];
    await Promise.all([one.propose(setOf('10-1', 0, 1)), other.propose(setOf('10-2', 2, 1))]);
    const later = openWindow(folder);
    const seen: string[] = [];
    for (let round = 0; round < 2; round++) {
      await later.look();
      seen.push(...later.shown);
      await later.decide();
    }
    assert.deepEqual(seen.sort(), ['10-1', '10-2']);
  });

  it('lose none in whatever order they write, look and decide', async () => {
    const step = fc.record({ window: fc.nat(1), does: fc.constantFrom('propose', 'look', 'decide') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await rm(folder, { recursive: true, force: true });
        const windows = [openWindow(folder), openWindow(folder)];
        let count = 0;
        const decided = new Set<string>();
        const decideIn = async (window: (typeof windows)[number] | undefined): Promise<void> => {
          for (const id of window?.shown.slice(0, 1) ?? []) decided.add(id);
          await window?.decide();
        };
        for (const { window: at, does } of steps) {
          const window = windows[at];
          // A window makes an edit out over what it shows; only with nothing there is it one that knows of no other.
          if (does === 'propose' && window?.shown.length === 0) {
            await window.propose(setOf(`10-${++count}`, count % 3, count));
          }
          if (does === 'look') await window?.look();
          if (does === 'decide') await decideIn(window);
        }
        const last = openWindow(folder);
        for (let round = 0; round < count; round++) {
          await last.look();
          await decideIn(last);
        }
        assert.equal(decided.size, count);
      }),
      { numRuns: 40 },
    );
  });
});

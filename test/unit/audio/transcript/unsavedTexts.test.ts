import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal } from '../../../../src/audio/transcript/journal.ts';
import type { Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { holdingUnsaved } from '../../../../src/audio/transcript/unsavedTexts.ts';

const textOf = (sha256: string, text: string): Transcript => ({ sha256, text }) as Transcript;
const file = {} as Parameters<Journal['save']>[1];

/** A journal on a disk that may be full. */
function setUp() {
  const disk = { isFull: true, kept: new Map<string, Transcript>() };
  const write = async (transcript: Transcript): Promise<void> => {
    if (disk.isFull) throw new Error('ENOSPC');
    disk.kept.set(transcript.sha256, transcript);
  };
  const journal = holdingUnsaved({
    save: write,
    update: write,
    get: async (sha256: string) => disk.kept.get(sha256),
    remove: async (sha256: string) => void disk.kept.delete(sha256),
  } as unknown as Journal);
  return { disk, journal };
}

describe('A text that the disk did not take', () => {
  it('is there until the window ends, and from the disk once that takes it', async () => {
    const { disk, journal } = setUp();
    await assert.rejects(journal.save(textOf('a', 'first'), file), /ENOSPC/);
    assert.equal((await journal.get('a'))?.text, 'first');
    disk.isFull = false;
    await journal.update(textOf('a', 'edited'));
    disk.kept.set('a', textOf('a', 'of another window'));
    assert.equal((await journal.get('a'))?.text, 'of another window');
  });

  it('stands for the one that the disk has from before, and goes with it', async () => {
    const { disk, journal } = setUp();
    disk.kept.set('a', textOf('a', 'before'));
    await assert.rejects(journal.save(textOf('a', 'again'), file));
    assert.equal((await journal.get('a'))?.text, 'again');
    await journal.remove('a');
    assert.equal(await journal.get('a'), undefined);
  });

  it('is one of twenty at most', async () => {
    const { journal } = setUp();
    for (let i = 0; i < 25; i++) await assert.rejects(journal.save(textOf(`t${i}`, 'x'), file));
    assert.equal(await journal.get('t4'), undefined);
    assert.ok(await journal.get('t5'));
  });
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createIndexPresence } from '../../../../src/search/ui/shared/indexPresence.ts';

describe('an index on the disk', () => {
  let directory: string;
  const make = async (): Promise<void> => {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'index.db'), '');
  };
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'parley-presence-')), 'search');
  });
  afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));

  it('was lost when it vanishes underneath, and is told so once', async () => {
    const presence = createIndexPresence(directory);
    await make();
    assert.equal(await presence.exists(), true);
    assert.equal(await presence.wasLost(), false);
    await remove();
    assert.equal(await presence.isMadeAnew(), true);
    assert.equal(await presence.wasLost(), true);
    assert.equal(await presence.wasLost(), false);
    await make();
    assert.deepEqual([await presence.isMadeAnew(), await presence.isMadeAnew()], [true, false]);
  });

  it('was not lost where there was none, or where it was removed here', async () => {
    const presence = createIndexPresence(directory);
    assert.equal(await presence.wasLost(), false);
    await make();
    presence.note();
    assert.equal(await presence.isRemoved(), false);
    await presence.removing(remove);
    assert.deepEqual([await presence.wasLost(), await presence.isRemoved()], [false, true]);
    await make();
    assert.equal(await presence.isRemoved(), false);
  });

  it('is not there while it is being removed', async () => {
    const presence = createIndexPresence(directory);
    await make();
    await presence.removing(async () => {
      assert.deepEqual([await presence.exists(), await presence.wasLost()], [false, false]);
      await remove();
    });
    assert.equal(await presence.exists(), false);
    await make();
    assert.equal(await presence.exists(), true);
  });
});

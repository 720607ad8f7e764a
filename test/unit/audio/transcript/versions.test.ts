import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { editSegments, isEdited } from '../../../../src/audio/transcript/editTranscript.ts';
import { createJournal, type Journal } from '../../../../src/audio/transcript/journal.ts';
import type { Transcript } from '../../../../src/audio/transcript/transcript.ts';
import { transcriptWith } from '../segments.ts';

const sha256 = 'a'.repeat(64);
const file = { path: '/recordings/aviso_1.ogg', size: 15_292, mtimeMs: 1000, change: '1' };
const version = (hour: number, parts: Partial<Transcript> = {}): Transcript =>
  transcriptWith({
    text: `Said at ${hour}.`,
    segments: [{ start: 0, end: 2, text: `Said at ${hour}.` }],
    createdAt: `2026-11-28T${hour}:00:00.000Z`,
    ...parts,
  });

describe('the versions of a translation', () => {
  let folder: string;
  let journal: Journal;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-versions-'));
    journal = createJournal(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const inUse = async (): Promise<string | undefined> => (await journal.get(sha256))?.text;
  const others = async (): Promise<string[]> => (await journal.versions(sha256)).map(({ text }) => text);

  test('are kept when a recording is translated once more, and not when the same is saved for another file', async () => {
    await journal.save(version(10), file);
    await journal.save(version(10), { ...file, path: '/recordings/copy.ogg' });
    assert.deepEqual(await others(), []);
    assert.equal(await journal.versionCount(sha256), 0);
    await journal.save(version(11, { model: 'another', prompt: 'Boats.', track: 2 }), file);
    await journal.save(version(12), file);
    assert.equal(await inUse(), 'Said at 12.');
    assert.deepEqual(await others(), ['Said at 11.', 'Said at 10.']);
    const [eleven] = await journal.versions(sha256);
    assert.deepEqual([eleven?.model, eleven?.prompt, eleven?.track], ['another', 'Boats.', 2]);
    assert.equal((await journal.list()).length, 1, 'the list has the one in use');
  });

  test('are used in turn, each with its own edits, and nothing is lost', async () => {
    const edited = editSegments(version(10), [{ segment: 0, text: 'Corrected.' }], 0);
    await journal.save(version(10), file);
    await journal.update(edited);
    await journal.save(version(11), file);
    const before = [await journal.get(sha256), ...(await journal.versions(sha256))].map((each) => each?.text).sort();
    const used = await journal.useVersion(sha256, edited.createdAt);
    assert.deepEqual(used, edited);
    assert.equal(await inUse(), 'Corrected.');
    assert.deepEqual(await others(), ['Said at 11.']);
    assert.equal(await journal.firstWords(file), 'Corrected.', 'the explorer tells of the one in use');
    await journal.useVersion(sha256, version(11).createdAt);
    assert.equal(await inUse(), 'Said at 11.');
    const kept = (await journal.versions(sha256))[0];
    assert.ok(kept !== undefined && isEdited(kept));
    assert.equal(kept.original?.text, 'Said at 10.');
    const after = [await journal.get(sha256), ...(await journal.versions(sha256))].map((each) => each?.text).sort();
    assert.deepEqual(after, before);
  });

  test('are of the file as it is called now, and none that is not there is used', async () => {
    await journal.save(version(10, { path: '/old/name.ogg', fileName: 'name.ogg' }), file);
    await journal.save(version(11), file);
    const used = await journal.useVersion(sha256, version(10).createdAt);
    assert.equal(used?.fileName, 'aviso_1.ogg');
    assert.equal(await journal.useVersion(sha256, '2020-01-01T00:00:00.000Z'), undefined);
    assert.equal(await journal.useVersion(sha256, '../../../etc/passwd'), undefined);
    assert.equal(await inUse(), 'Said at 10.');
  });

  test('are deleted one by one, and all with their translation', async () => {
    for (const hour of [10, 11, 12]) await journal.save(version(hour), file);
    await journal.removeVersion(sha256, version(10).createdAt);
    assert.deepEqual(await others(), ['Said at 11.']);
    await journal.remove(sha256);
    assert.equal(await inUse(), undefined);
    assert.deepEqual(readdirSync(join(folder, 'versions')), []);
  });
});

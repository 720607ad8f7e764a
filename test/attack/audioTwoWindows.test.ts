import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RecordedRequest } from '../service/options.ts';
import { audioFolder, hashOf, uploadIn, uploadsIn } from './audioFolder.ts';
import type { Window } from './openWindow.ts';
import { sized } from './size.ts';

const textsOf = ({ lines }: Window): string[] => lines.filter((line) => line.startsWith('text ')).sort();
const isUpload = (request: RecordedRequest): boolean => uploadIn(request) !== undefined;

test('one recording translated in two windows at once is uploaded once, and both have its text', async (t) => {
  const { service, record, open, journal } = await audioFolder(t);
  const paths = record('talk.flac');
  service.setFault('slow-first-byte');
  const windows = [open(paths), open(paths)];
  // One is at it, and the other says that it waits for that one.
  await service.waitForRequest(isUpload);
  await Promise.race(windows.map((window) => window.says('waits talk.flac')));
  service.setFault(undefined);
  service.release();
  await Promise.all(windows.map((window) => window.ended));
  assert.deepEqual(uploadsIn(service.requests), paths.map(hashOf));
  for (const window of windows) assert.equal(textsOf(window).length, 1, window.lines.join('\n'));
  assert.deepEqual(textsOf(windows[0] as Window), textsOf(windows[1] as Window));
  assert.deepEqual(readdirSync(join(journal, 'locks')), [], 'nothing is left of the lock');
});

test('many recordings in two windows at once are each uploaded once, whatever the order', async (t) => {
  const { service, record, open, look, journal } = await audioFolder(t);
  const names = Array.from({ length: sized(60, 10) }, (_, i) => `talk${i}.flac`);
  const paths = record(...names);
  const windows = [open(paths), open(paths.toReversed()), open(paths)];
  const ended = await Promise.all(windows.map((window) => window.ended));
  assert.deepEqual(ended, [null, null, null]);
  assert.deepEqual(uploadsIn(service.requests).toSorted(), paths.map(hashOf).toSorted());
  const { stored, damaged } = look();
  assert.deepEqual([stored.size, damaged], [paths.length, []]);
  for (const window of windows) assert.ok(window.lines.includes('ends'), window.lines.join('\n'));
  assert.ok(!existsSync(join(journal, 'locks')) || readdirSync(join(journal, 'locks')).length === 0);
});

test('different recordings in two windows are sent at the same time', async (t) => {
  const { service, record, open } = await audioFolder(t);
  const [one = '', two = ''] = record('one.flac', 'two.flac');
  service.setFault('slow-first-byte');
  const windows = [open([one]), open([two])];
  await service.waitForRequest(() => service.requests.filter((each) => isUpload(each) && !each.finished).length === 2);
  service.setFault(undefined);
  service.release();
  await Promise.all(windows.map((window) => window.ended));
  for (const { lines } of windows) {
    assert.ok(!lines.some((line) => line.startsWith('waits')), lines.join('\n'));
    assert.ok(lines.includes('ends'), lines.join('\n'));
  }
});

test('a window that waits takes over when the other one dies, and no earlier', async (t) => {
  const { service, record, open } = await audioFolder(t);
  const paths = record('talk.flac');
  service.setFault('slow-first-byte');
  const first = open(paths);
  await service.waitForRequest(isUpload);
  const second = open(paths);
  await second.says('waits talk.flac');
  assert.equal(uploadsIn(service.requests).length, 1);
  service.setFault(undefined);
  first.process.kill('SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  await second.ended;
  assert.equal(uploadsIn(service.requests).length, 2);
  assert.equal(textsOf(second).length, 1);
});

test('a window that waits is stopped at once, while the other goes on', async (t) => {
  const { service, record, open } = await audioFolder(t);
  const paths = record('talk.flac');
  service.setFault('slow-first-byte');
  const first = open(paths);
  await service.waitForRequest(isUpload);
  const second = open(paths);
  await second.says('waits talk.flac');
  second.process.kill('SIGTERM');
  await second.ended;
  assert.deepEqual([second.lines.at(-1), textsOf(second)], ['ends', []]);
  assert.ok(
    service.requests.every(({ finished, aborted }) => !finished && !aborted),
    'the first is still at it',
  );
  service.setFault(undefined);
  service.release();
  await first.ended;
  assert.equal(textsOf(first).length, 1);
  assert.equal(uploadsIn(service.requests).length, 1);
});

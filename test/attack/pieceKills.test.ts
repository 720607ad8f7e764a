import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audioFolder, uploadsIn } from './audioFolder.ts';
import { killPieces, saidOf } from './pieceKills.ts';
import { sized } from './size.ts';

const kills = sized(30, 4);
/** Pieces that are on their way at once. */
const parallel = 3;

test('a long recording whose window is killed again and again: no piece that came back is sent again', async (t) => {
  const { killed, again, lost, inTurn } = await killPieces(await audioFolder(t), kills);
  // The kills are aimed at the moment in which an answer comes. It is on the disk in the same turn.
  t.diagnostic(`${killed} kills; ${inTurn} pieces that came in the turn of a kill were sent again`);
  assert.deepEqual([again, lost], [0, 0]);
});

test('a long recording in two windows at once is uploaded once, piece by piece, also when the first is killed', async (t) => {
  const folder = await audioFolder(t);
  const path = folder.recordLong('meeting.wav', 99);
  const { service } = folder;
  service.setFault('slow-first-byte');
  const first = folder.openLong(path);
  await service.waitForRequest(() => service.requests.filter(({ fault }) => fault !== undefined).length === parallel);
  service.release();
  await first.says('kept ');
  const second = folder.openLong(path);
  await second.says('waits ');
  first.process.kill('SIGKILL');
  assert.equal(await first.ended, 'SIGKILL');
  service.setFault(undefined);
  service.release();
  assert.equal(await second.ended, null);
  const kept = new Set(saidOf(first, 'kept'));
  assert.deepEqual(
    saidOf(second, 'sends').filter((piece) => kept.has(piece)),
    [],
  );
  const pieces = new Set([...kept, ...saidOf(second, 'kept')]).size;
  const uploads = uploadsIn(service.requests).length;
  assert.ok(uploads <= pieces + parallel, `${uploads} uploads of ${pieces} pieces`);
  assert.equal(saidOf(second, 'text').length, 1, second.lines.join('\n'));
});

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../support/recordings.ts';
import { type AudioFolder, uploadsIn } from './audioFolder.ts';
import type { Window } from './openWindow.ts';

/** What became of long recordings whose windows were killed. */
export interface PieceKills {
  killed: number;
  /** Pieces that were on the disk and were sent again. */
  again: number;
  /** Pieces that had come more than a turn before their window was killed, were not said to be on the disk, and were sent again. */
  lost: number;
  /** Pieces that came in the very turn in which their window was killed, and were sent again. */
  inTurn: number;
}

/** What a window said of pieces, by the second at which each begins. */
export const saidOf = ({ lines }: Window, word: string): string[] =>
  lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));

/** Translates recordings of ten pieces one after another, and kills their windows at some moments, so many times. */
export async function killPieces(folder: AudioFolder, kills: number): Promise<PieceKills> {
  const random = randomFrom(8);
  const found: PieceKills = { killed: 0, again: 0, lost: 0, inTurn: 0 };
  let left = 0;
  for (let number = 0; found.killed < kills; number++) {
    const path = folder.recordLong(`meeting${number}.wav`, number + 1);
    const came = new Set<string>();
    const turned = new Set<string>();
    const kept = new Set<string>();
    let wasSaved = false;
    for (let isOver = false; !isOver; ) {
      const first = folder.service.requests.length;
      const window = folder.openLong(path);
      if (found.killed < kills) await killLater(folder, window, random);
      isOver = (await window.ended) !== 'SIGKILL';
      if (!isOver) found.killed++;
      const sent = saidOf(window, 'sends');
      found.again += sent.filter((piece) => kept.has(piece)).length;
      const lost = sent.filter((piece) => came.has(piece) && !kept.has(piece));
      found.lost += lost.filter((piece) => turned.has(piece)).length;
      found.inTurn += lost.filter((piece) => !turned.has(piece)).length;
      // It is sent until it is answered again, which is no other loss.
      for (const piece of lost) came.delete(piece);
      for (const piece of saidOf(window, 'came')) came.add(piece);
      for (const piece of saidOf(window, 'turned')) turned.add(piece);
      for (const piece of saidOf(window, 'kept')) kept.add(piece);
      const uploads = uploadsIn(folder.service.requests.slice(first));
      assert.equal(new Set(uploads).size, uploads.length, 'a window sends a piece once');
      assert.ok(uploads.length <= sent.length, `${uploads.length} uploads of ${sent.length} pieces`);
      wasSaved = window.lines.includes('saved');
      if (isOver && !wasSaved) assert.equal(saidOf(window, 'text').length, 1, window.lines.join('\n'));
    }
    assert.ok(new Set([...came, ...kept]).size >= 9, `only ${came.size} pieces`);
    // A window that is killed between the text and the end of its pieces leaves them, until they are old.
    if (wasSaved) left++;
    assert.ok(readdirSync(join(folder.journal, 'pieces')).length <= left, 'nothing is left of the pieces');
  }
  return found;
}

/** Kills a window in the middle of one of its next pieces, unless it ends before. */
async function killLater({ service }: AudioFolder, window: Window, random: () => number): Promise<void> {
  const until = service.requests.length + 1 + Math.floor(random() * 5);
  const delay = random() * 15;
  await Promise.race([service.waitForRequest(() => service.requests.length >= until), window.ended]);
  setTimeout(() => window.process.kill('SIGKILL'), delay);
}

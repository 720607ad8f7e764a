import { rm } from 'node:fs/promises';
import type { PieceList, PieceState } from './pieceList.ts';
import type { PieceWork } from './pieceWork.ts';
import { envelopeBytes } from './uploadLimit.ts';

/** Takes the text of a piece from the disk, or sends the piece; one that is too large by now is cut further in place of that. */
export async function sendPiece(
  state: PieceState,
  pieces: PieceList,
  work: PieceWork,
  signal: AbortSignal,
): Promise<void> {
  const { store, sha256, limit, split } = work;
  const { prompt } = pieces;
  // What the texts before it add is no part of the key: a text that came late would make all after it others.
  const request = { ...work.request, sha256, track: split.track, from: state.piece.from, to: state.piece.to, prompt };
  const known = await store.get(request);
  if (known !== undefined) {
    state.translation = known;
    return;
  }
  const path = store.pathFor(request, 'piece');
  try {
    const { contentType, bytes, isOriginal } = await split.write(state.piece, path, signal);
    // The limit is lower than when the recording was cut.
    if (bytes + envelopeBytes > limit.bytes && (await pieces.splitFurther(state))) return;
    state.size = bytes;
    const before = work.parallel === 1 ? pieces.translated(state) : [];
    const asked = before.length === 0 ? prompt : work.carryOver(prompt, before);
    const translation = await work.send({ path, contentType, prompt: asked }, signal, {
      onSent(sent) {
        state.sent = sent;
        pieces.report();
      },
      onWait: (waitMs, failed) => pieces.reportWait(work.now() + waitMs, failed === undefined),
    });
    Object.assign(state, { translation, wasSent: true });
    // Where the disk does not take it, this run still has it.
    if (isOriginal) await store.save(request, translation).catch(() => undefined);
  } finally {
    await rm(path, { force: true });
  }
}

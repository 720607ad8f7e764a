import type { Transcript } from '../transcript/transcript.ts';

/**
 * Transcripts as JSON: one as an object, several as a list of such. It is what the service said and where it came from, with the
 * user's edits; the path and the hash of the recording concern nobody else. Each segment is on a line of its own.
 */
export function* jsonPieces(transcripts: readonly Transcript[]): Generator<string> {
  const [only] = transcripts;
  if (transcripts.length === 1 && only !== undefined) {
    yield* objectPieces(only);
    yield '\n';
    return;
  }
  yield '[';
  for (const [index, transcript] of transcripts.entries()) {
    yield index === 0 ? '\n' : ',\n';
    yield* objectPieces(transcript);
  }
  yield '\n]\n';
}

function* objectPieces(transcript: Transcript): Generator<string> {
  const {
    fileName,
    task,
    language,
    durationSeconds,
    model,
    createdAt,
    editedAt,
    untranslated,
    text,
    segments,
    areBlocks,
  } = transcript;
  const head = { fileName, task, language, durationSeconds, model, createdAt, editedAt, untranslated, text, areBlocks };
  yield JSON.stringify(head, undefined, 2).slice(0, -2);
  if (segments !== undefined) {
    yield ',\n  "segments": [';
    for (const [index, segment] of segments.entries()) {
      const { isChecked: _, ...said } = segment;
      yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(said)}`;
    }
    yield '\n  ]';
  }
  yield '\n}';
}

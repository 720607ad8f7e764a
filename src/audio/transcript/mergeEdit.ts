import type { Segment } from '../../service/audio/audio.ts';
import type { TextEdit } from './editTranscript.ts';
import { plainLines, spokenSegments } from './timedText.ts';
import { toMilliseconds } from './timestamps.ts';
import type { TranscriptTexts } from './transcript.ts';

/** An edit that has taken in what was changed elsewhere. */
export interface MergedEdit {
  readonly edit: TextEdit;
  /** Others' texts in whose place the edit has its own, as both changed the same; empty for one that was deleted there. */
  readonly replaced: readonly string[];
}

/**
 * Merges an edit with what became of the transcript since, segment by segment: what either side changed, added or deleted is so in
 * both. Where both changed a segment the edit goes first, and what it takes the place of is told. Where one side moved it in time,
 * there are both.
 * @param base what the edit was made from
 * @param kept what the transcript is by now
 */
export function mergeEdit(base: TranscriptTexts, kept: TranscriptTexts, edit: TextEdit): MergedEdit {
  const [before, mine, theirs] = [bySpan(base.segments), bySpan(edit.segments), bySpan(kept.segments)];
  // A text without times has no parts.
  if (edit.text !== undefined || theirs.size === 0) {
    const whole = { ...edit, text: edit.text ?? '' };
    const isOther = !areSame(kept, base) && !areSame(kept, whole);
    return { edit, replaced: isOther ? [plainLines(kept.text)] : [] };
  }
  const added = (side: Entries, other: Entries) =>
    [...side].flatMap(([key, segment]) => (before.has(key) || other.has(key) ? [] : [segment]));
  const [mineAlone, theirsAlone] = [added(mine, theirs), added(theirs, mine)];
  const changedByBoth = [...before].flatMap(([key, segment]) => (mine.has(key) || theirs.has(key) ? [] : [segment]));
  const [changed, here, there] = [changedByBoth, mineAlone, theirsAlone].map((all) => new Set(all.map(startOf)));
  const deletedThere = changedByBoth.map(startOf).filter((start) => here?.has(start) && !there?.has(start));
  const clashing = theirsAlone.filter((segment) => changed?.has(startOf(segment)));
  const segments = [
    ...[...mine].flatMap(([key, segment]) => (theirs.has(key) || !before.has(key) ? [segment] : [])),
    ...theirsAlone.filter((segment) => !changed?.has(startOf(segment))),
  ];
  return {
    edit: { ...edit, segments: segments.sort((a, b) => a.start - b.start) },
    replaced: [...clashing.map(({ text }) => plainLines(text)), ...deletedThere.map(() => '')],
  };
}

type Entries = ReadonlyMap<string, Segment>;
type Texts = Pick<TextEdit, 'segments'> | TranscriptTexts;

const startOf = ({ start }: Segment): number => toMilliseconds(start);

/** Segments that hold a text, by what a document keeps of them; of equal ones each has a name of its own. */
function bySpan(segments: readonly Segment[] = []): Map<string, Segment> {
  const found = new Map<string, Segment>();
  const counts = new Map<string, number>();
  for (const segment of spokenSegments({ segments }) ?? []) {
    const end = Math.max(startOf(segment), toMilliseconds(segment.end));
    const key = `${startOf(segment)} ${end} ${plainLines(segment.text)}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    found.set(`${count} ${key}`, segment);
  }
  return found;
}

function areSame(one: Texts & { readonly text: string }, other: Texts & { readonly text: string }): boolean {
  const [left, right] = [bySpan(one.segments), bySpan(other.segments)];
  if (left.size === 0 && right.size === 0) return plainLines(one.text) === plainLines(other.text);
  return left.size === right.size && [...left.keys()].every((key) => right.has(key));
}

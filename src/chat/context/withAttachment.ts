import { splitLines } from '../../base/lines.ts';
import { type Attachment, placedAttachment } from '../conversation/attachment.ts';

/**
 * The attachments with one more. It takes the place of one of the same lines, and pieces of one file whose lines overlap become
 * one. Where they say different things of a line, because the file was changed in between, or only a part of the line was
 * selected, they stay apart.
 */
export function withAttachment(list: readonly Attachment[], added: Attachment): readonly Attachment[] {
  let whole = added;
  let rest = list;
  for (;;) {
    const at = rest.findIndex((piece) => isReplaced(piece, whole) || join(piece, whole) !== undefined);
    const piece = rest[at];
    if (piece === undefined) return [...rest, whole];
    if (!isReplaced(piece, whole)) whole = join(piece, whole) ?? whole;
    rest = rest.toSpliced(at, 1);
  }
}

/** Whether a new attachment stands for another: the same thing, as it is now. */
function isReplaced(before: Attachment, { path, label, kind, range }: Attachment): boolean {
  if (before.path !== path || before.label !== label || before.kind !== kind) return false;
  const { startLine, endLine } = before.range;
  if (kind === undefined) return startLine === range.startLine && endLine === range.endLine;
  // Two of one name may be two: both came from a clipboard.
  return kind !== 'pasted' && kind !== 'image';
}

/** Two pieces of one file as one; undefined where they do not overlap, or differ. */
function join(one: Attachment, other: Attachment): Attachment | undefined {
  if (one.path !== other.path || !isPiece(one) || !isPiece(other)) return undefined;
  const [first, second] = one.range.startLine <= other.range.startLine ? [one, other] : [other, one];
  if (second.range.startLine > first.range.endLine) return undefined;
  const [firstLines, secondLines] = [linesOf(first), linesOf(second)];
  if (firstLines === undefined || secondLines === undefined) return undefined;
  const from = second.range.startLine - first.range.startLine;
  const shared = Math.min(firstLines.length - from, secondLines.length);
  for (let i = 0; i < shared; i++) if (firstLines[from + i] !== secondLines[i]) return undefined;
  const lines = [...firstLines, ...secondLines.slice(shared)];
  const kind = one.kind ?? other.kind;
  const { path, languageId } = other;
  const range = { startLine: first.range.startLine, endLine: first.range.startLine + lines.length - 1 };
  return placedAttachment({ path, languageId, range, text: lines.join('\n'), ...(kind && { kind }) }, other.id);
}

function isPiece({ kind }: Attachment): boolean {
  return kind === undefined || kind === 'file';
}

/** The lines of a piece; undefined where its text has not the lines that its range says. */
function linesOf({ text, range }: Attachment): string[] | undefined {
  const count = range.endLine - range.startLine + 1;
  const lines = splitLines(text);
  if (lines.length === count + 1 && lines.at(-1) === '') lines.pop();
  return lines.length === count ? lines : undefined;
}

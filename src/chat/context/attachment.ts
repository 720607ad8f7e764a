import { basename } from 'node:path';
import { fenced } from '../../base/codeFence.ts';
import { type LinePosition, widenToLines } from '../../base/lines.ts';

/** A piece of a file that goes along with a question. */
export interface Attachment {
  readonly id: string;
  /** Short name for a person: `name.ts:3-9`. */
  readonly label: string;
  readonly languageId: string;
  /** Path as the model sees it: relative to the workspace where there is one. */
  readonly path: string;
  /** Lines of the file, counted from 1, both included. */
  readonly range: { readonly startLine: number; readonly endLine: number };
  readonly text: string;
}

/** A selection as the editor has it: lines counted from 0, the end exclusive of a line it only touches. */
export interface Selected {
  readonly path: string;
  readonly languageId: string;
  readonly text: string;
  readonly start: LinePosition;
  readonly end: LinePosition;
}

export function attachmentOf(selected: Selected, id: string): Attachment {
  const { first, last } = widenToLines(selected.start, selected.end);
  const { path, languageId, text } = selected;
  return placedAttachment({ path, languageId, text, range: { startLine: first + 1, endLine: last + 1 } }, id);
}

/** An attachment of whole lines. */
export function placedAttachment(piece: Omit<Attachment, 'id' | 'label'>, id: string): Attachment {
  const { startLine, endLine } = piece.range;
  const name = basename(piece.path);
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return { id, label: `${name}:${lines}`, ...piece };
}

/** The message the model reads: the question, then each piece of context in a fence with its place. */
export function promptWith(text: string, attachments: readonly Attachment[]): string {
  return [text, ...attachments.map(describe)].filter((part) => part !== '').join('\n\n');
}

function describe({ path, range, languageId, text }: Attachment): string {
  const lines =
    range.startLine === range.endLine ? `line ${range.startLine}` : `lines ${range.startLine} to ${range.endLine}`;
  return `From ${path}, ${lines}:\n\n${fencedText({ text, languageId })}`;
}

/** The text of an attachment in a fence, without the line break that whole lines end with. */
export function fencedText({ text, languageId }: Pick<Attachment, 'text' | 'languageId'>): string {
  return fenced(text.replace(/\n$/, ''), languageId);
}

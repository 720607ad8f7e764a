import { basename } from 'node:path';
import { fenced } from '../../base/codeFence.ts';
import { type LinePosition, widenToLines } from '../../base/lines.ts';
import { estimateTokens } from '../../base/tokens.ts';

/** What an attachment is, where it is more, or something else, than some lines of a file. */
export type AttachmentKind = 'file' | 'folder' | 'problems' | 'diff' | 'terminal' | 'conversation' | 'pasted' | 'image';

/** A piece of context that goes along with a question. */
export interface Attachment {
  readonly id: string;
  /** Short name for a person: `name.ts:3-9`. */
  readonly label: string;
  readonly languageId: string;
  /** Path as the model sees it: relative to the workspace where there is one. For what is no file, the name of it. */
  readonly path: string;
  /** Lines of the file, counted from 1, both included. For what is no piece of a file, the lines of the text. */
  readonly range: { readonly startLine: number; readonly endLine: number };
  readonly text: string;
  /** Absent for lines of a file. A newer version may have written another word: its text counts. */
  readonly kind?: AttachmentKind | undefined;
  readonly image?: AttachedImage | undefined;
}

/** An image as it is sent. */
export interface AttachedImage {
  /** `image/png`, … */
  readonly type: string;
  /** Base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
  /** The name under which the original is kept, where it is another and no file of the user's. */
  readonly original?: string | undefined;
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

/** An attachment of whole lines, or of a whole file. */
export function placedAttachment(piece: Omit<Attachment, 'id' | 'label'>, id: string): Attachment {
  const { startLine, endLine } = piece.range;
  const name = basename(piece.path);
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return { id, label: piece.kind === 'file' ? name : `${name}:${lines}`, ...piece };
}

/** An attachment that is no piece of a file. */
export function namedAttachment(
  piece: Pick<Attachment, 'label' | 'path' | 'languageId' | 'text'> & { readonly kind: AttachmentKind },
  id: string,
): Attachment {
  return { id, ...piece, range: { startLine: 1, endLine: piece.text.split('\n').length } };
}

/** The message the model reads: the question, then each piece of context in a fence with its place. */
export function promptWith(text: string, attachments: readonly Attachment[]): string {
  return [text, ...attachments.map(describe)].filter((part) => part !== '').join('\n\n');
}

/** A piece of context with its place. Of an image only its name, for a model that cannot see it. */
function describe(attachment: Attachment): string {
  if (attachment.kind === 'image')
    return `(An image, ${attachment.label}, belongs here, but this model takes no images.)`;
  return `${placeOf(attachment)}:\n\n${fencedText(attachment)}`;
}

function placeOf({ kind, path, range }: Attachment): string {
  switch (kind) {
    case 'file':
      return `From ${path}, the whole file`;
    case 'folder':
      return `The files in ${path}`;
    case 'problems':
      return `Problems that the editor reports in ${path}`;
    case 'diff':
      return `Changes in git, ${path}`;
    case 'terminal':
      return 'From the terminal';
    case 'conversation':
      return `An earlier conversation, “${path}”`;
    case 'pasted':
      return 'Pasted text';
    default: {
      const { startLine, endLine } = range;
      return `From ${path}, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`}`;
    }
  }
}

/** The text of an attachment in a fence, without the line break that whole lines end with. */
export function fencedText({ text, languageId }: Pick<Attachment, 'text' | 'languageId'>): string {
  return fenced(text.replace(/\n$/, ''), languageId);
}

/** Tokens of an image in full detail, about, for most models. */
const imageTokens = 1_000;

/** Roughly how many tokens a model reads in an attachment. */
export function attachmentTokens(attachment: Attachment): number {
  const known = counted.get(attachment);
  if (known !== undefined) return known;
  const tokens = attachment.image === undefined ? estimateTokens(describe(attachment)) : imageTokens;
  counted.set(attachment, tokens);
  return tokens;
}

/** Texts may be megabytes, and are asked for again and again. */
const counted = new WeakMap<Attachment, number>();

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
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

export function attachmentOf(selected: Selected, id: string): Attachment {
  const startLine = selected.start.line + 1;
  // A selection of whole lines ends at the start of the next one, which is not part of it.
  const touchesOnly = selected.end.character === 0 && selected.end.line > selected.start.line;
  const endLine = selected.end.line + (touchesOnly ? 0 : 1);
  const { path, languageId, text } = selected;
  return placedAttachment({ path, languageId, text, range: { startLine, endLine } }, id);
}

/** An attachment of whole lines. */
export function placedAttachment(piece: Omit<Attachment, 'id' | 'label'>, id: string): Attachment {
  const { startLine, endLine } = piece.range;
  const name = piece.path.split(/[\\/]/).at(-1) ?? piece.path;
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
  return `From ${path}, ${lines}:\n\n${fenced(text, languageId)}`;
}

/** Code in a fence that nothing inside can close: longer than any run of backticks in it. */
export function fenced(code: string, languageId: string): string {
  const runs = code.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${languageId}\n${code.replace(/\n$/, '')}\n${fence}`;
}

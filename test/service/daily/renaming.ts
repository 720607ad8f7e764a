import { endOfBlock, findDefinitions } from '../code.ts';
import { nameOf, type Piece } from './pieces.ts';

/** `rename X to Y` in several files: each declaration that holds X, with Y, in a fence that names its file. Undefined where none does. */
export function renameInPieces(pieces: readonly Piece[], from: string, to: string): string | undefined {
  const changed = pieces.map((piece) => ({ ...piece, blocks: changedBlocks(piece.code, from, to) }));
  const files = changed.filter(({ blocks }) => blocks.length > 0);
  if (files.length === 0) return undefined;
  const parts = files.flatMap(({ path, language, blocks }) => {
    return blocks.map((block) => `\`\`\`${language} ${path}\n${block}\n\`\`\``);
  });
  const names = files.map(({ path }) => `\`${nameOf(path)}\``).join(', ');
  const untouched = changed.filter(({ blocks }) => blocks.length === 0).map(({ path }) => `\`${nameOf(path)}\``);
  const rest = untouched.length === 0 ? '' : ` Nothing is named \`${from}\` in ${untouched.join(', ')}.`;
  return `\`${from}\` is \`${to}\` now in ${names}. The word in plain sentences stays.${rest}\n\n${parts.join('\n\n')}`;
}

/** The declarations that change, with the comment above each; the whole file where lines beside them do. */
function changedBlocks(code: string, from: string, to: string): string[] {
  const before = code.split('\n');
  const after = renameInCode(code, from, to).split('\n');
  const changed = before.flatMap((text, line) => (text === after[line] ? [] : [line]));
  const blocks: { first: number; past: number }[] = [];
  for (const { line } of findDefinitions(code)) {
    // A class is too much to give whole: its members come one by one.
    if (line < (blocks.at(-1)?.past ?? 0) || /\bclass\b/.test(before[line] ?? '')) continue;
    blocks.push({ first: commentStart(before, line), past: endOfBlock(before, line) });
  }
  const isIn = (line: number, { first, past }: { first: number; past: number }): boolean =>
    line >= first && line < past;
  if (changed.some((line) => !blocks.some((block) => isIn(line, block)))) return [after.join('\n')];
  return blocks
    .filter((block) => changed.some((line) => isIn(line, block)))
    .map(({ first, past }) => after.slice(first, past).join('\n').trimEnd());
}

function commentStart(lines: readonly string[], line: number): number {
  let first = line;
  while (/^\s*(?:\/\*\*|\*|\/\/|#)/.test(lines[first - 1] ?? '')) first -= 1;
  return first;
}

/** Comments, texts, and what is between them. */
const parts = /\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;

/** Renames in the code, in what a template puts in, and where a comment marks the word as code. */
function renameInCode(code: string, from: string, to: string): string {
  const word = new RegExp(`\\b${from}\\b`, 'g');
  let end = 0;
  let renamed = '';
  for (const match of code.matchAll(parts)) {
    const [text] = match;
    renamed += code.slice(end, match.index).replace(word, to);
    renamed += text.replace(/\$\{[^}]*\}|\{@code [^}]*\}|@param \w+|`[^`\n$]*`/g, (piece) => {
      return piece === text && text.startsWith('`') ? piece : piece.replace(word, to);
    });
    end = match.index + text.length;
  }
  return renamed + code.slice(end).replace(word, to);
}

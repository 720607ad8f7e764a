import { nameOf, type Piece } from './pieces.ts';

/** `rename X to Y` in several files: a block for the lines that hold X, below the name of each file. Undefined where none does. */
export function renameInPieces(pieces: readonly Piece[], from: string, to: string): string | undefined {
  const changed = pieces.map((piece) => ({ ...piece, hunks: changedLines(piece.code, from, to) }));
  const files = changed.filter(({ hunks }) => hunks.length > 0);
  if (files.length === 0) return undefined;
  const parts = files.flatMap(({ path, language, hunks }) => {
    const blocks = hunks.map(({ old, fresh }) => `<<<<<<< SEARCH\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE`);
    return `${path}\n\`\`\`${language}\n${blocks.join('\n')}\n\`\`\``;
  });
  const names = files.map(({ path }) => `\`${nameOf(path)}\``).join(', ');
  const untouched = changed.filter(({ hunks }) => hunks.length === 0).map(({ path }) => `\`${nameOf(path)}\``);
  const rest = untouched.length === 0 ? '' : ` Nothing is named \`${from}\` in ${untouched.join(', ')}.`;
  return `\`${from}\` is \`${to}\` now in ${names}. The word in plain sentences stays.${rest}\n\n${parts.join('\n\n')}`;
}

/** The lines that change, those beside each other as one, and with so many above that they stand in one place only. */
function changedLines(code: string, from: string, to: string): { old: string; fresh: string }[] {
  const before = code.split('\n');
  const after = renameInCode(code, from, to).split('\n');
  const isChanged = (line: number): boolean => before[line] !== after[line];
  const hunks: { old: string; fresh: string }[] = [];
  for (let line = 0; line < before.length; line += 1) {
    if (!isChanged(line)) continue;
    let first = line;
    while (isChanged(line)) line += 1;
    const old = (): string => before.slice(first, line).join('\n');
    while (first > 0 && `\n${code}\n`.split(`\n${old()}\n`).length > 2) first -= 1;
    hunks.push({ old: old(), fresh: after.slice(first, line).join('\n') });
  }
  return hunks;
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

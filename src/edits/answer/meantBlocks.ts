import type { SyntaxReader } from '../../syntax/readSyntax.ts';
import { shareOf } from '../place/lines/lineText.ts';
import { isQuoted } from './codeText.ts';
import type { CodeBlock } from './reading/answerBlocks.ts';

/** “Do not do this:”, “Before”, “Instead of that:”: what follows is shown to be avoided. */
const rejecting =
  /^(?:before|old|original|current|bad|wrong|incorrect|avoid)(?: (?:code|version|way|form|example))?$|\b(?:do not|don['’]?t|never|avoid|instead of|rather than)(?: (?:do|doing|use|using|write|writing))?(?: (?:this|that|it|so|like this|something like this))?$/i;
const option = /\b(?:option|alternative|approach|variant)s?\b/i;
const other = /^(?:or|alternatively|otherwise)\b/i;
/** What is to be run, read or tried, and stands in no file. */
const aside =
  /\b(?:usage|uses?|example|call(?:ed|s|ing)?|try|test(?:s|ed)?|check|verify|run|start|output|prints?|result|returns?|gives|install|compile|console|terminal|shell|irb|repl)\b/i;
const command = /^(?:sh|shell|bash|zsh|console|powershell|cmd|text|txt|plaintext|output|log|terminal)$/;

/** The most blocks that are looked at: each is placed in the selection, and compared with each. */
const mostBlocks = 30;

/**
 * Those of several blocks that are new code for the file: not what is to be avoided, not examples of use, commands and outputs, not
 * parts of another block. 'ambiguous' where they are for the user to choose from.
 * @param areAll whether the answer has no others: a single one is meant then
 */
export function meantBlocks(
  blocks: readonly CodeBlock[],
  areAll: boolean,
  selected: readonly string[],
  file: readonly string[],
  path: string,
  syntax: SyntaxReader,
): readonly CodeBlock[] | 'ambiguous' {
  const kept = blocks.filter(({ above }) => !rejecting.test(textOf(above)));
  if (kept.length === 0 || (kept.length === 1 && areAll)) return kept;
  if (kept.length > mostBlocks) return 'ambiguous';
  // Any example has variables of its own that are called like those within a function.
  const known = new Set(
    syntax
      .file(file, path)
      .declarations.flatMap(({ key, parent }) => (parent === -1 || !key.startsWith('value:') ? [key] : [])),
  );
  const isRelated = ({ lines }: CodeBlock): boolean =>
    shareOf(lines, selected) >= 0.3 ||
    syntax.piece(lines, path).declarations.some(({ key, parent }) => parent === -1 && known.has(key));
  const code = kept.filter((block) => !isCommand(block, path));
  const [best] = [...code].sort((a, b) => shareOf(b.lines, selected) - shareOf(a.lines, selected));
  const isAside = (block: CodeBlock): boolean =>
    !isRelated(block) && (aside.test(block.above) || block.language !== best?.language);
  const left = code.length === 1 && areAll ? code : code.filter((block) => !isAside(block));
  const whole = left.filter(({ lines }, at) => !left.some((each, index) => contains(each.lines, lines, index < at)));
  const options = whole.filter(({ above }) => option.test(above)).length;
  return options > 1 || whole.slice(1).some(({ above }) => other.test(textOf(above))) ? 'ambiguous' : whole;
}

function textOf(line: string): string {
  return line.replace(/^[\s*_#>\d.-]+|[\s*_:.]+$/g, '');
}

/** Whether a block is a command to be run, or its output, and no code of a file. */
export function isCommand({ language, path: named }: Pick<CodeBlock, 'language' | 'path'>, path: string): boolean {
  return command.test(language) && !/\.(?:sh|bash|zsh|txt|ps1|cmd|bat|log)$|(?:^|\/)[^./]+$/.test(named ?? path);
}

/** Whether lines are part of others, or the same as earlier ones. */
function contains(lines: readonly string[], inner: readonly string[], isEarlier: boolean): boolean {
  return isQuoted(inner, lines) && (isEarlier || !isQuoted(lines, inner));
}

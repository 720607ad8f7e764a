import { posix } from 'node:path';
import type { LineForms } from './lineForms.ts';
import { languages, withoutNames } from './lineLanguages.ts';

/**
 * What a declaration is to its name: a type's own declaration; a `mention` that adds to what is declared elsewhere, as `impl X for Y`,
 * `extension X` and a field do; or any other.
 */
export type NameRole = 'type' | 'other' | 'mention';

/** A name that a text defines, and where it stands in the text. */
export interface NameAt {
  at: number;
  name: string;
  role: NameRole;
}

/** The longest line that is searched for names; the patterns may be slow on a longer one. */
const longest = 300;
/** Words that stand where a name does, and are none. */
const keywords = new Set('if for while switch catch return function with else do try constructor'.split(' '));

const byEnding = new Map(languages.flatMap(([endings, forms]) => endings.split(' ').map((each) => [each, forms])));

/** The forms for the files of this name; undefined where they declare nothing. */
function formsFor(path: string): LineForms | undefined {
  const file = posix.basename(path).toLowerCase();
  const ending = /\.(\w{1,20})$/.exec(file)?.[1] ?? '';
  if (withoutNames.has(ending)) return undefined;
  if (/^(?:gnu)?makefile\b/.test(file)) return byEnding.get('mk');
  if (file === 'cmakelists.txt') return byEnding.get('cmake');
  return byEnding.get(ending) ?? byEnding.get('');
}

/** The names that a text without a grammar defines, as far as single lines show, and where they stand. */
export function namesByLine(text: string, path = ''): NameAt[] {
  const forms = formsFor(path);
  if (forms === undefined) return [];
  const names: NameAt[] = [];
  const isCode = codeLines(forms);
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, Math.min(end, start + longest + 1)).trimEnd();
    if (isCode(line) && line.length <= longest)
      for (const name of namesIn(line, forms)) names.push({ at: start, name, role: roleIn(line) });
    start = end + 1;
  }
  return names;
}

const mentions =
  /^\s*(?:[\w@]+\s+){0,4}(?:(?:extension(?!\s+type\b)|instance|property)(?=\s+[\w(<])|impl\b|defimpl\b|@implementation\b|@property\b)/;
const types =
  /^\s*(?:[\w@]+\s+){0,4}(?:class|struct|enum|union|interface|trait|protocol|actor|record|object|data|newtype|type|typealias|typedef|mixin|contract|defprotocol|@interface|@protocol)(?=\s+[\w'(<[])/;

function roleIn(line: string): NameRole {
  return mentions.test(line) ? 'mention' : types.test(line) ? 'type' : 'other';
}

/** The names that a piece of code defines, as far as single lines show; each once. */
export function definedNames(text: string, path?: string): string[] {
  return [...new Set(namesByLine(text, path).map(({ name }) => name))];
}

function namesIn(line: string, { forms }: LineForms): string[] {
  for (const form of forms) {
    const names = form
      .exec(line)
      ?.slice(1)
      .filter((name) => name !== undefined && !keywords.has(name));
    if (names !== undefined && names.length > 0) return names;
  }
  return [];
}

/** A test, to be given the lines in their order, of whether a line is code: no comment, and no line of a long text. */
function codeLines({ comment, blocks, within }: LineForms): (line: string) => boolean {
  let close: string | undefined;
  let isWithin = within === undefined;
  return (line) => {
    if (within !== undefined) {
      if (!isWithin || within[1].test(line)) {
        isWithin = !within[1].test(line) && within[0].test(line);
        return false;
      }
    }
    const said = line.trimStart();
    if (close !== undefined) {
      if (said.includes(close)) close = undefined;
      return false;
    }
    for (const [open, end] of blocks) {
      const isQuote = open === end;
      if (isQuote ? said.split(open).length % 2 === 0 : said.startsWith(open) && !said.includes(end, open.length)) {
        close = end;
      }
      if (said.startsWith(open)) return false;
      // A text may begin behind code: `@doc """`.
      if (close !== undefined) return !comment.test(said);
    }
    return !comment.test(said);
  };
}

/** Whether a line starts something that has a name, in any of the usual languages. Borders of chunks depend on it. */
export function isDefinition(line: string): boolean {
  return /^(export|default|public|private|protected|internal|static|async|abstract|final|pub(\(\w+\))?|unsafe|extern|const|inline|virtual|override|partial|sealed|data|open|\s)*\b(function|class|interface|enum|struct|trait|impl|type|def|fn|func|fun|module|namespace|package|object|record|protocol|extension|macro_rules!|sub|proc|CREATE (TABLE|VIEW|FUNCTION))\b/.test(
    line,
  );
}

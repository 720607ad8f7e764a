import { docText, findDefinitions, spellLanguage } from '../code.ts';
import { nameOf, type Piece } from './pieces.ts';

/** Several pieces of code in a table: what each is for and what it gives; above it what it needs of the others, below it where to begin. */
export function comparePieces(pieces: readonly Piece[]): string {
  const facts = pieces.map((piece) => factsOf(piece, pieces));
  const rows = facts.map(({ name, purpose, defines, lines }) => {
    return `| \`${name}\` | ${purpose} | ${list(defines.slice(0, 3)) || 'only values'} | ${lines} |`;
  });
  const table = ['| File | What it is for | Defines | Lines |', '|---|---|---|---:|', ...rows].join('\n');
  return `${introduction(facts)}\n\n${table}\n\n${advice(facts)}`;
}

interface Facts {
  readonly name: string;
  readonly language: string;
  readonly purpose: string;
  readonly defines: readonly string[];
  /** Of the other files, those that it imports. */
  readonly needs: readonly string[];
  readonly lines: number;
}

function factsOf({ path, language, code }: Piece, all: readonly Piece[]): Facts {
  const name = nameOf(path);
  const imported = [...code.matchAll(/\bfrom ['"]\.{1,2}\/([^'"]+)['"]/g)].map(([, target = '']) => nameOf(target));
  const stem = (file: string): string => file.replace(/\.\w+$/, '');
  const others = all.map((each) => nameOf(each.path)).filter((other) => other !== name);
  return {
    name,
    language: spellLanguage(language),
    purpose: purposeOf(code),
    defines: namesIn(code),
    needs: others.filter((other) => imported.some((each) => stem(each) === stem(other))),
    lines: code.split('\n').length,
  };
}

/** What others may use; all that is defined where nothing is exported by a word. */
function namesIn(code: string): string[] {
  const lines = code.split('\n');
  const all = findDefinitions(code);
  const exported = all.filter(({ line }) => /^export\b/.test(lines[line] ?? ''));
  return (exported.length > 0 ? exported : all).map(({ name }) => name);
}

/** The first sentence of the first comment that is one. */
function purposeOf(code: string): string {
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(docText(code)) ?? [];
  return sentence.replace(/[.:]$/, '').replaceAll('|', '\\|') || 'no comment says it';
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function introduction(facts: readonly Facts[]): string {
  const bonds = facts.flatMap(({ name, needs }) => (needs.length === 0 ? [] : [`\`${name}\` needs ${list(needs)}`]));
  const languages = new Set(facts.map(({ language }) => language));
  const [language = ''] = languages;
  const same = languages.size === 1 && language !== '' ? `All are ${language}. ` : '';
  if (bonds.length === 0) return `${same}None of these files needs another one of them.`;
  const free = facts.filter(
    ({ name, needs }) => needs.length === 0 && !facts.some((each) => each.needs.includes(name)),
  );
  const alone = free.length === 0 ? '' : `; ${list(free.map(({ name }) => name))} stands alone`;
  return `${same}${bonds.join(', ')}${alone}.`;
}

function advice(facts: readonly Facts[]): string {
  const base = facts.find(({ name }) => facts.some(({ needs }) => needs.includes(name)));
  if (base !== undefined) return `Read \`${base.name}\` first: the other one builds on it.`;
  const [shortest] = facts.toSorted((a, b) => a.lines - b.lines);
  return `Read \`${shortest?.name}\` first: it is the shortest.`;
}

import { isBlank, lineIndexOf, normalised } from '../../place/lines/lineText.ts';
import type { CodeBlock } from './answerBlocks.ts';

/** What models put around code, for all forms of answers in one place: numbers of lines, escaped signs, marks of other tools. */

/** Numbers that no code begins with: `12 | `, `12→`, `12<tab>`. */
const sureNumbers = [/^\s*(\d+)\s?[|│](?: |$)/, /^\s*(\d+)→/, /^\s*(\d+)\t/, /^\s*L(\d+):(?: |$)/];
/** Numbers that may be data: `12: `, `12  `. The file tells. */
const maybeNumbers = [/^\s*(\d+)\s?:(?: |$)/, /^\s*(\d+)(?: {2}|$)/, /^\s*(\d+) (?=\S)/];

/** Lines without their numbers, where each has one and they count on. */
function withoutNumbers(lines: readonly string[], forms: readonly RegExp[]): string[] | undefined {
  const written = lines.filter((line) => !isBlank(line));
  for (const form of forms) {
    const numbers = written.map((line) => Number(form.exec(line)?.[1] ?? Number.NaN));
    const isCounting =
      numbers.length > 0 &&
      numbers.every(
        (number, at) => at === 0 || (number >= (numbers[at - 1] ?? 0) && number - (numbers[at - 1] ?? 0) <= 2),
      );
    if (isCounting && !numbers.some(Number.isNaN)) return lines.map((line) => line.replace(form, ''));
  }
  return undefined;
}

/** Lines as they are or without numbers: surely, where two of them count on, else where the file knows more of them so. */
function unnumbered(lines: readonly string[], file: readonly string[]): readonly string[] {
  const sure = withoutNumbers(lines, sureNumbers);
  const isSure = sure !== undefined && lines.filter((line) => !isBlank(line)).length > 1;
  if (isSure) return sure;
  const maybe = sure ?? withoutNumbers(lines, maybeNumbers);
  return maybe !== undefined && knownCount(maybe, file) > knownCount(lines, file) ? maybe : lines;
}

function knownCount(lines: readonly string[], file: readonly string[]): number {
  const { placesOf } = lineIndexOf(file);
  return lines.filter((line) => !isBlank(line) && placesOf(normalised(line)).length > 0).length;
}

const entity = /&(?:lt|gt|amp|quot|apos|#39|#x27);/;
const bareSign = /[<>]|&(?!(?:lt|gt|amp|quot|apos|#39|#x27);)/;

/** Lines with `&lt;` and the like as plain signs, where no line has a bare one and the file has no such entity. */
function unescapedEntities(lines: readonly string[], file: readonly string[]): readonly string[] {
  if (!lines.some((line) => entity.test(line))) return lines;
  return lines.some((line) => bareSign.test(line)) || file.some((line) => entity.test(line))
    ? lines
    : lines.map(withoutEntities);
}

function withoutEntities(line: string): string {
  return line
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&(?:#39|#x27|apos);/g, "'")
    .replace(/&amp;/g, '&');
}

/** Marks that tools ask for within a block, and that a model repeats: `:start_line:12`, then a line of dashes. */
function withoutMarks(lines: readonly string[]): readonly string[] {
  let first = 0;
  while (/^\s*:(?:start|end)_line:\s*\d*\s*$/.test(lines[first] ?? '')) first += 1;
  if (first > 0 && /^\s*-{5,}\s*$/.test(lines[first] ?? '')) first += 1;
  return lines.slice(first);
}

/** Marks of the block itself that stand in the file are written with a backslash. */
const escapedMark = /^(\s*)\\(?=(?:<{5,9}|={5,9}|>{5,9}|\+{5,9})(?:\s|$))/;

/** The code of a block as it is meant to stand in a file. */
export function cleanLines(lines: readonly string[], file: readonly string[], path = ''): readonly string[] {
  const bare = unnumbered(withoutMarks(lines), file);
  return /\.(?:md|mdx|markdown|html?|xml|svg)$/i.test(path) ? bare : unescapedEntities(bare, file);
}

/** Puts back a first line that names a file where the file has it, and takes off what models put around code. */
export function cleanCode(block: CodeBlock, file: readonly string[], path?: string): CodeBlock {
  const isOwn = block.pathLine !== undefined && file.some((line) => line.trim() === block.pathLine?.trim());
  const lines = isOwn ? [block.pathLine ?? '', ...block.lines] : block.lines;
  return { ...block, lines: cleanLines(lines, file, path) };
}

/** Old and new lines of a replacement. */
export interface Reading {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/** The ways in which a replacement may be meant, the plainest first. */
export function readingsOf({ search, replace }: Reading, file: readonly string[], path: string): Reading[] {
  const [old, fresh] = [withoutMarks(search), withoutMarks(replace)];
  const both = [...old, ...fresh];
  const readings: Reading[] = [{ search: old, replace: unnumberedBeside(old, fresh, file) }];
  const add = (change: (lines: readonly string[]) => readonly string[]): unknown =>
    readings.push({ search: change(old), replace: change(fresh) });
  if (both.some((line) => escapedMark.test(line))) add((lines) => lines.map((line) => line.replace(escapedMark, '$1')));
  const numbered = withoutNumbers(old, [...sureNumbers, ...maybeNumbers]);
  if (numbered !== undefined)
    readings.push({ search: numbered, replace: withoutNumbers(fresh, [...sureNumbers, ...maybeNumbers]) ?? fresh });
  if (both.some((line) => entity.test(line)) && !/\.(?:md|mdx|html?|xml|svg)$/i.test(path))
    add((lines) => lines.map(withoutEntities));
  if (both.some((line) => /\\["'`\\nt]/.test(line))) add(unescaped);
  if (both.some((line) => /\S.*\t/.test(line)))
    add((lines) => lines.map((line) => line.replace(/(?<=\S[^\t]*)\t/g, '\\t')));
  return readings;
}

/** New lines without numbers, where the old ones have none: the file is known to have none either. */
function unnumberedBeside(
  old: readonly string[],
  fresh: readonly string[],
  file: readonly string[],
): readonly string[] {
  return withoutNumbers(old, sureNumbers) === undefined ? unnumbered(fresh, file) : fresh;
}

/** Lines with one level of escapes less: `\"` is `"`, and `\n` the end of a line. */
function unescaped(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replace(/\\(["'`\\nt])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign))
    .split('\n');
}

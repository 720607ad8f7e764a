import { isBlank, isTelling, normalised } from '../place/lineText.ts';
import type { CodeBlock } from './answerBlocks.ts';

/** Whether lines without a fence are code: some are in the file already, or most look like it. */
export function looksLikeCode(lines: readonly string[], file: readonly string[]): boolean {
  const written = lines.filter((line) => !isBlank(line));
  if (written.length === 0) return false;
  const isSentence = (line: string): boolean =>
    /^[A-Z“"'*>-]?[^{};=<>]*\w[^{};=]*\s[\w’',\s-]+[.:?!…]\s*$/.test(line.trim()) &&
    (line.match(/ /g)?.length ?? 0) >= 4;
  const sentences = written.filter(isSentence).length;
  if (sentences > written.length / 3) return false;
  const known = new Set(file.filter(isTelling).map(normalised));
  if (written.some((line) => known.has(normalised(line)))) return true;
  const code = written.filter((line) =>
    /[{};:,()[\]]\s*$|^\s{2,}\S|=|^\s*<\/?\w|^\s*[.#]?[\w-]+\s*[:(]/.test(line),
  ).length;
  return code >= written.length * 0.6;
}

/** Whether lines are in the file as they are, next to one another. */
export function isQuoted(lines: readonly string[], file: readonly string[]): boolean {
  const written = lines.filter((line) => !isBlank(line)).map(normalised);
  if (written.length === 0) return true;
  const known = file.filter((line) => !isBlank(line)).map(normalised);
  return known.some((_, at) => written.every((line, index) => known[at + index] === line));
}

/** Puts back a first line that names a file where the file has it, and takes off what models put around code. */
export function cleanCode(block: CodeBlock, file: readonly string[]): CodeBlock {
  const isOwn = block.pathLine !== undefined && file.some((line) => line.trim() === block.pathLine?.trim());
  const lines = isOwn ? [block.pathLine ?? '', ...block.lines] : block.lines;
  return { ...block, lines: bestOf(lines, file) };
}

const numbered = /^\s*\d+\s?[|:](?: |$)/;

const escaped = /&(?:lt|gt|amp|quot|#39);/;

/** The lines as they are, without line numbers, or with escaped signs put back: whichever the file knows most of. */
function bestOf(lines: readonly string[], file: readonly string[]): readonly string[] {
  const forms = [lines];
  const written = lines.filter((line) => !isBlank(line));
  if (written.length > 0 && written.every((line) => numbered.test(line)))
    forms.push(lines.map((line) => line.replace(numbered, '')));
  if (written.some((line) => escaped.test(line)) && !file.some((line) => escaped.test(line)))
    forms.push(lines.map(unescapeSigns));
  return forms.reduce((best, form) => (knownCount(form, file) > knownCount(best, file) ? form : best));
}

function knownCount(lines: readonly string[], file: readonly string[]): number {
  const known = new Set(file.map(normalised));
  return lines.filter((line) => !isBlank(line) && known.has(normalised(line))).length;
}

function unescapeSigns(line: string): string {
  return line
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}

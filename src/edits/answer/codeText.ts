import { isComment } from '../../syntax/textLines.ts';
import { isBlank, isTelling, normalised } from '../place/lines/lineText.ts';

/**
 * Whether lines without a fence are code: they share telling lines with the file and are not mostly words, or each of them is code
 * beyond doubt. A remark has brackets and colons, too.
 */
export function looksLikeCode(lines: readonly string[], file: readonly string[]): boolean {
  const written = lines.filter((line) => !isBlank(line));
  const words = written.filter((line) => isSentence(line) || isWords(line)).length;
  if (written.length === 0 || words > written.length / 3) return false;
  const known = new Set(file.filter(isTelling).map(normalised));
  if (written.some((line) => known.has(normalised(line)))) return true;
  const isSure = (line: string): boolean => statement.test(line) && !isWords(line);
  return written.some(isSure) && written.every((line) => isSure(line) || isComment(line) || !isTelling(line));
}

/** Whether a line ends as a sentence does: some words, and a mark. */
function isSentence(line: string): boolean {
  const text = line.trim();
  if (!/[.:?!…]$/.test(text) || /[{};=]/.test(text)) return false;
  const last =
    text
      .slice(0, -1)
      .split(/[^\w’',\s-]/)
      .at(-1) ?? '';
  return (text.match(/ /g)?.length ?? 0) >= 4 && /\s./.test(last);
}

/** What a line of code ends or begins with, whatever the language: a remark seldom does. */
const statement =
  /[;{}]\s*$|^\s*[)\]}]|^\s*<\/?\w|^\s*[\w$.[\]'"]+\s*(?:[-+*/%|&?]{0,2}=|:=)(?!=)\s*\S|^\s*(?:(?:await|return|yield) )?[\w$.]+\(.*\)[,;:]?\s*$|^\s*(?:const|let|var|val|def|class|for|if|while|with|import|from|return)\b.*[({[:,>)\w'"]\s*$/;
/** What begins a line of code, and seldom a remark. */
const codeWord =
  /^\s*(?:export|pub|public|private|protected|internal|static|final|abstract|async|function|def|class|const|let|var|val|fn|func|import|from|return|for|foreach|if|elif|else|while|until|unless|with|when|case|switch|using|use|package|module|type|struct|enum|interface|impl|raise|throw|unsigned|insert|select|update|delete)\b.*[(){}[\];:=,]/;
const word = /^(?:\p{Lu}?\p{Ll}+(?:['’-]\p{L}+)*|I|A)$/u;
/** So many words in a row are a sentence. */
const sentenceWords = 4;
/** The longest line, in characters, whose words are counted. */
const longestRead = 1_000;

/** Whether a line has so many words in a row, outside strings and comments, as only a sentence has. */
function isWords(line: string): boolean {
  if (isComment(line) || codeWord.test(line) || line.length > longestRead) return false;
  // A name in backticks is a word of its sentence, other strings are none.
  const text = line
    .replace(/(?<!\S)`[^`]*`(?![^\s.,:;!?)])/g, 'code')
    .replace(/(?<![\p{L}\d])(["'`])[^"'`]*\1/gu, '()');
  return text.split(/[^\p{L}'’ ,-]+/u).some((run) => longestRun(run.split(/[ ,]+/)) >= sentenceWords);
}

function longestRun(parts: readonly string[]): number {
  let [longest, open] = [0, 0];
  for (const part of parts) {
    open = word.test(part) ? open + 1 : 0;
    longest = Math.max(longest, open);
  }
  return longest;
}

/** Whether lines are in the file as they are, next to one another. */
export function isQuoted(lines: readonly string[], file: readonly string[]): boolean {
  const written = lines.filter((line) => !isBlank(line)).map(normalised);
  if (written.length === 0) return true;
  const known = file.filter((line) => !isBlank(line)).map(normalised);
  return known.some((_, at) => written.every((line, index) => known[at + index] === line));
}

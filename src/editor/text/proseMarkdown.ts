import { escapeMarkdown } from './markdownText.ts';
import { plain, showUnseen } from './plainText.ts';

/** The most lines of a text, and characters of a line, that are shown. */
const most = { lines: 200, line: 2_000 } as const;

const code = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/;
const bold = /\*\*(?=\S)([^*]+)(?<=\S)\*\*/;
const spans = new RegExp(`${code.source}|${bold.source}`, 'g');

/**
 * A model's words as Markdown of which only code, bold words and lists are drawn: nothing in it is a link, a picture, a heading, HTML or
 * an icon, whatever it says. Lines stay lines.
 */
export function proseMarkdown(text: string): string {
  const parts: string[] = [];
  let block: { readonly fence: string; readonly lines: string[] } | undefined;
  for (const line of text.split('\n').slice(0, most.lines)) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (block !== undefined) {
      const isEnd = fence?.startsWith(block.fence) && line.trim() === fence;
      if (!isEnd) block.lines.push(line);
      else {
        parts.push(codeBlock(block.lines));
        block = undefined;
      }
    } else if (fence !== undefined) block = { fence, lines: [] };
    else parts.push(proseLine(line));
  }
  // A fence that is never closed may be one of an answer that is still being written.
  if (block !== undefined) parts.push(codeBlock(block.lines));
  return parts.join('\n');
}

function proseLine(line: string): string {
  const mark = /^\s{0,12}([-*+]|\d{1,3}[.)])\s+(?=\S)/.exec(line);
  const rest = inline(line.slice(mark?.[0].length ?? 0).slice(0, most.line));
  if (mark !== null) return `${/\d/.test(mark[1] ?? '') ? mark[1] : '-'} ${rest}`;
  // Two blanks at the end: the line ends there.
  return rest.trim() === '' ? '' : `${rest.trimStart()}  `;
}

function inline(text: string): string {
  let made = '';
  let at = 0;
  for (const found of text.matchAll(spans)) {
    const [whole, , ofCode, ofBold] = found;
    made += words(text.slice(at, found.index));
    made += ofCode !== undefined ? codeSpan(ofCode) : `**${words(ofBold ?? '')}**`;
    at = found.index + whole.length;
  }
  return made + words(text.slice(at));
}

const words = (text: string): string => escapeMarkdown(plain(text, { length: most.line }));

function codeSpan(text: string): string {
  const shown = showUnseen(text.replaceAll('\r', ''));
  const marks = longestRun(shown, '`') + 1;
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${'`'.repeat(marks)}${pad}${shown}${pad}${'`'.repeat(marks)}`;
}

function codeBlock(lines: readonly string[]): string {
  const shown = showUnseen(lines.join('\n').replaceAll('\r', ''));
  const fence = '`'.repeat(Math.max(3, longestRun(shown, '`') + 1));
  return `${fence}\n${shown}\n${fence}`;
}

const longestRun = (text: string, mark: string): number =>
  Math.max(0, ...[...text.matchAll(new RegExp(`${mark}+`, 'g'))].map(([run]) => run.length));

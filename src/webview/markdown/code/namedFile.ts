import { readFileName } from '../../shared/fileName.ts';
import { fileInComment, fileNamedAbove, type NamedInText } from '../../shared/namedInText.ts';
import type { FileReference } from '../../shared/protocol/protocol.ts';

/**
 * The file that an answer names for a block of code: behind the fence, in a comment on its first line, in the header of a diff, above
 * it, or as the last file in the words before it. Where a name is no path, as it is written. Undefined where the answer names none.
 */
export function namedFile(pre: Element, code: string): string | undefined {
  return pre.getAttribute('data-path') ?? nameWithin(code) ?? namedBefore(pre.closest('.code'));
}

/** The file that code names in its first line, or as the first of a diff. */
export function nameWithin(code: string): string | undefined {
  return textOf(fileInComment(code.slice(0, longestLine).split('\n', 1)[0])) ?? diffPaths(code)[0];
}

/** A longer line, in characters, is more than a name. */
const longestLine = 1_000;

const textOf = (named: NamedInText | undefined): string | undefined =>
  named?.kind === 'path' ? named.path : named?.text;

/** The lines of a diff that name a file: before and after, or as agents are told to patch. */
const diffHeader =
  /^--- ([^\t\r\n]{1,400}).*\r?\n\+\+\+ ([^\t\r\n]{1,400})|^\*\*\* (?:Update|Add|Delete) File: (.{1,400})/gm;

/** The files that a diff changes, or makes. */
export function diffPaths(code: string): string[] {
  return [...code.matchAll(diffHeader)].flatMap(([, before = '', after = '', patched]) => {
    const name = (patched ?? (before.trim() === '/dev/null' ? after : before)).trim();
    return readFileName(patched === undefined ? name.replace(/^"?[ab]\//, '') : name, 'link')?.path ?? [];
  });
}

/** Whether a diff makes a file that is not there yet, or names none at all. */
export function isOpenDiff(code: string): boolean {
  return /^--- \/dev\/null|^\*\*\* Add File: /m.test(code) || diffPaths(code).length === 0;
}

function namedBefore(block: Element | null): string | undefined {
  const last = blockBefore(block);
  if (!last?.matches(prose)) return undefined;
  const above = blockBefore(last);
  const named = fileNamedAbove([...(above?.matches(prose) ? [sourceOf(above)] : []), ...sourceOf(last).split('\n')]);
  if (named !== undefined) return textOf(named);
  // Of what a sentence mentions only names of which the host said that they are files.
  const files = [...last.querySelectorAll('.file-reference[data-open]')].at(-1)?.getAttribute('data-open');
  return files ? (JSON.parse(files) as FileReference).path : undefined;
}

const prose = 'p, h1, h2, h3, h4, h5, h6';

function blockBefore(block: Element | null | undefined): Element | null | undefined {
  // The open block stands in a part of its own.
  return block?.previousElementSibling ?? block?.parentElement?.previousElementSibling?.lastElementChild;
}

/** The text of a paragraph or a heading with its marks, as it was written. */
function sourceOf(element: Element): string {
  const parts = [...element.childNodes].map((node) => {
    const text = node.textContent ?? '';
    if (!(node instanceof Element)) return text;
    const file = node.getAttribute('data-file');
    if (file !== null) return `[${text}](${file})`;
    return node.matches('code') ? `\`${text}\`` : node.matches('strong, em') ? `**${sourceOf(node)}**` : text;
  });
  return (/^H\d$/.test(element.tagName) ? '### ' : '') + parts.join('');
}

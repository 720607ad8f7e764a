import type { FileReference } from '../../shared/protocol.ts';
import { fileReferenceOf } from '../fileReferences.ts';

/** The first line of code, where it is a comment with nothing but a path. */
const pathComment = /^\s*(?:\/\/|\/\*+|#|--|<!--|;|%)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i;

/** A longer line, in characters, is more than a path; the pattern would try each way to divide it. */
const longestComment = 300;

/** The lines of a diff that name its first file: before and after, or as agents are told to patch. */
const diffHeader = /^--- (?:a\/)?(\S+).*\r?\n\+\+\+ (?:b\/)?(\S+)|^\*\*\* (?:Update|Add) File: (\S+)/m;

/**
 * The file that an answer names for a block of code: behind the fence, in a comment on its first line, in the header of a
 * diff, or as the last file in the words before it. Undefined where it names none.
 */
export function namedFile(pre: Element, code: string): string | undefined {
  const [first = ''] = code.split('\n', 1);
  const [, commented] = first.length > longestComment ? [] : (pathComment.exec(first) ?? []);
  const [, before, after, patched] = diffHeader.exec(code) ?? [];
  for (const name of [pre.getAttribute('data-path'), commented, before === '/dev/null' ? after : before, patched]) {
    const path = fileReferenceOf(name ?? '')?.path;
    if (path !== undefined) return path;
  }
  return namedBefore(pre.closest('.code'));
}

function namedBefore(block: Element | null): string | undefined {
  // The open block stands in a part of its own.
  const before = block?.previousElementSibling ?? block?.parentElement?.previousElementSibling?.lastElementChild;
  if (!before?.matches('p, h1, h2, h3, h4, h5, h6')) return undefined;
  // Only names of which the host said that they are files.
  const files = [...before.querySelectorAll('.file-reference[data-open]')].at(-1)?.getAttribute('data-open');
  return files ? (JSON.parse(files) as FileReference).path : undefined;
}

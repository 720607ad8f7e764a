import { findDefinitions } from '../code.ts';

interface ChangedPath {
  readonly path: string;
  readonly isNew: boolean;
  readonly isGone: boolean;
  readonly added: number;
  readonly removed: number;
  /** What is defined in the lines that were added, or above them. */
  readonly names: readonly string[];
}

/** A commit message for a diff: what it is about in one line, and a line for each further file. */
export function writeCommitMessage(diff: string): string {
  const [first, ...others] = readChanges(diff);
  if (first === undefined) return 'Change the files';
  const subject = sentenceOf(first);
  if (others.length === 0) return subject;
  return `${subject}\n\n${others.map((each) => `- ${sentenceOf(each)}`).join('\n')}`;
}

function sentenceOf({ path, isNew, isGone, added, removed, names }: ChangedPath): string {
  const file = path.split('/').at(-1) ?? path;
  if (isGone) return `Remove ${file}`;
  const [subject] = names;
  if (isNew) return subject === undefined ? `Add ${file}` : `Add ${subject} in ${file}`;
  if (subject === undefined) return removed === 0 ? `Add ${added} lines to ${file}` : `Change ${file}`;
  return removed === 0 ? `Add ${subject} to ${file}` : `Change ${subject} in ${file}`;
}

function readChanges(diff: string): ChangedPath[] {
  const parts = diff.split(/^(?=--- )/m).filter((part) => /^--- .*\n\+\+\+ /.test(part));
  return parts.map((part) => {
    const [, from = '', to = ''] = /^--- (.*)\n\+\+\+ (.*)$/m.exec(part) ?? [];
    const lines = part.split('\n').slice(2);
    const added = lines.filter((line) => line.startsWith('+'));
    const context = lines.filter((line) => /^[+ ]|^@@/.test(line)).map((line) => line.replace(/^@@.*@@ ?|^[+ ]/, ''));
    const own = findDefinitions(added.map((line) => line.slice(1)).join('\n'));
    const near = own.length > 0 ? own : findDefinitions(context.join('\n'));
    return {
      path: (to === '/dev/null' ? from : to).replace(/^[ab]\//, ''),
      isNew: from === '/dev/null',
      isGone: to === '/dev/null',
      added: added.length,
      removed: lines.filter((line) => line.startsWith('-')).length,
      names: near.map(({ name }) => name),
    };
  });
}

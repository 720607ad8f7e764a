import { ServiceError } from '../../base/errors.ts';
import type { Exclusion } from '../../workspace/exclusions.ts';
import type { FileExplanation } from '../indexing/explainFile.ts';
import { onOneLine } from './places.ts';

/** What agents read, in English as the descriptions of the tools are: a sentence, and what to do next. */
export function failureText(error: unknown): string {
  // The system refuses what lies below a file, or is another user's.
  if (error instanceof Error && !(error instanceof ServiceError) && 'syscall' in error) return storageText(undefined);
  if (!(error instanceof ServiceError)) return 'The search met an error that it did not expect. Try it again.';
  switch (error.kind) {
    case 'invalid-request':
      return invalidText(error);
    case 'file-missing':
      return `There is no folder ${onOneLine(error.hint ?? '')}. Start the search with a folder that is there.`;
    case 'git':
      return 'Git does not say what changed here. Leave `changed_since` out.';
    case 'storage':
      return storageText(error.hint);
    case 'cancelled':
      return 'The search was cancelled.';
    default:
      return 'The search failed. Try it again.';
  }
}

function invalidText({ param, hint, message }: ServiceError): string {
  if (param === 'folder')
    return `${onOneLine(hint ?? '')} has more than code in it, and is not read as a whole. Give the search a folder of code: parley-search mcp FOLDER.`;
  if (param === 'changedSince')
    return `Git knows no revision “${onOneLine(hint ?? '')}” here. Name a branch, tag or commit.`;
  if (param === 'pattern') return patternText(message, hint);
  if (param === 'globs') return 'The globs in `paths` are too long or too many. Use fewer or simpler ones.';
  if (param?.startsWith('parley.')) return `A glob of the setting ${param} is too long. Shorten it in the editor.`;
  return 'The search cannot be made like this. Ask in plain words.';
}

function patternText(source: string, hint: string | undefined): string {
  const pattern = `The regular expression /${onOneLine(source).slice(0, 200)}/`;
  if (hint === 'slow') return `${pattern} takes too long. Write it without repetitions within repetitions.`;
  if (hint === 'long') return `${pattern} is too long. Shorten it.`;
  return `${pattern} is none${hint ? `: ${onOneLine(hint)}` : ''}. Put quotes around a text that is meant letter by letter.`;
}

function storageText(hint: string | undefined): string {
  if (hint === 'full') return 'The disk is full, so the index of this folder cannot be made. Free some space.';
  if (hint === 'busy') return 'Another program writes the index. Try again in a moment.';
  if (hint === 'damaged') return 'The index was damaged on the disk. Ask again: it is repaired now.';
  if (hint === 'read-only') return 'There is no index of this folder, and none can be written where it belongs.';
  return 'The index cannot be read or written on the disk. See whether PARLEY_DATA_DIR names a folder of this user.';
}

/** Why a file is in the index, or not. */
export function explanationText(name: string, explanation: FileExplanation): string {
  const path = onOneLine(name);
  switch (explanation.kind) {
    case 'indexed': {
      const { chunks, byMeaning, mtimeMs, isStale, secret } = explanation;
      const amount = chunks === 1 ? '1 chunk' : `${chunks} chunks`;
      const parts = [`${path} is in the index as it was at ${new Date(mtimeMs).toISOString()}, in ${amount}.`];
      if (byMeaning === undefined) parts.push('Words find it.');
      else
        parts.push(
          byMeaning >= chunks
            ? 'Words and meaning find it.'
            : `Words find it, and meaning finds ${byMeaning} of its chunks.`,
        );
      if (secret !== undefined) parts.push(`What stands about line ${secret.line} is left out: it holds a secret.`);
      if (isStale) parts.push('It has changed since.');
      return parts.join(' ');
    }
    case 'excluded':
      return `${path} is not in the index: ${exclusionText(explanation.exclusion)}.`;
    case 'ignored':
      return explanation.rule === undefined
        ? `${path} is not in the index: git ignores it.`
        : `${path} is not in the index: line ${explanation.rule.line} of ${explanation.rule.file} ignores it.`;
    case 'left-out-folder':
      return `${path} is not in the index: files in ${explanation.folder} are other people’s code or made by tools.`;
    case 'waiting':
      return `${path} belongs in the index, and has not been read yet.`;
    case 'missing':
      return `${path} is not in the index: there is no such file on the disk.`;
  }
}

function exclusionText({ reason, glob, rule }: Exclusion): string {
  switch (reason) {
    case 'secret-path':
      return 'it has the name of a secret';
    case 'secret-content':
      return 'it holds a key or a password';
    case 'setting':
      return glob === undefined
        ? 'the setting parley.search.exclude names it'
        : `the setting parley.search.exclude names it by “${glob}”`;
    case 'parleyignore':
      return rule === undefined ? '.parleyignore names it' : `line ${rule.line} of ${rule.file} names it`;
    case 'rule-file':
      return 'an ignore file is too large or cannot be read';
    case 'binary':
      return 'it is not text';
    case 'too-large':
      return 'it is over the size limit';
    case 'minified':
      return 'it is minified';
    case 'generated':
      return 'it is generated, or comes from elsewhere';
    case 'lock-file':
      return 'tools write it';
    case 'symlink':
      return 'it is a link';
    case 'unreadable':
      return 'it cannot be read';
  }
}

import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { type ChangedFile, readChangedFiles } from '../../../../src/scm/findings/changedFiles.ts';

/** A file with these lines, of which some (from 1) were added. */
export function fileWith(path: string, count: number, added: readonly number[]): ChangedFile {
  const lines = Array.from({ length: count }, (_, at) => `line ${at + 1}\n`);
  const before = lines.filter((_, at) => !added.includes(at + 1)).join('');
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, lines.join(''), undefined, undefined, options);
  const [file] = readChangedFiles(patch ?? '');
  if (file === undefined) throw new Error('Nothing changed.');
  return file;
}

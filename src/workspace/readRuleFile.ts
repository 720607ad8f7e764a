import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { isInside } from '../base/paths.ts';

/** Size limit of a rule file in bytes. The longest known ones have a tenth of it. */
export const maxRuleBytes = 512 * 1024;

/** Why a rule file cannot be used. */
export type RuleFileProblem = 'too-large' | 'unreadable';

/** Flag without which opening a pipe blocks. Windows has neither. */
const noWaiting = constants.O_NONBLOCK ?? 0;

/**
 * The text of a rule file inside a root; undefined where there is none. A link is followed as long as it stays inside;
 * a pipe, a device and a folder cannot be read.
 * @param decode gives the text of the bytes, undefined where they are none; as git reads them, in UTF-8, unless it is given
 */
export function readRuleFile(
  root: string,
  file: string,
  decode: (bytes: Uint8Array) => string | undefined = (bytes) => Buffer.from(bytes).toString(),
): { text: string } | { problem: RuleFileProblem } | undefined {
  try {
    if (lstatSync(file).isSymbolicLink() && !isInside(realpathSync(root), realpathSync(file))) {
      return { problem: 'unreadable' };
    }
    return readOpened(openSync(file, constants.O_RDONLY | noWaiting), decode);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { problem: 'unreadable' };
  }
}

function readOpened(
  file: number,
  decode: (bytes: Uint8Array) => string | undefined,
): { text: string } | { problem: RuleFileProblem } {
  try {
    if (!fstatSync(file).isFile()) return { problem: 'unreadable' };
    const bytes = Buffer.allocUnsafe(maxRuleBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > maxRuleBytes) return { problem: 'too-large' };
    const text = decode(bytes.subarray(0, length));
    return text === undefined ? { problem: 'unreadable' } : { text };
  } finally {
    closeSync(file);
  }
}

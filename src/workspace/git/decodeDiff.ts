import { decodeAs } from '../../base/encoding/decode.ts';
import { type EncodingRules, encodingSetting } from '../../base/encoding/encodingRules.ts';
import { versionEncodings } from '../../base/encoding/versionEncodings.ts';

/**
 * The text of a diff by git, each file in its encoding. Names of files are UTF-8. Lines that are gone are told apart from the rest, as a
 * change may be that of the encoding.
 * @param diff each byte as a character
 */
export function decodeDiff(diff: string, rules: EncodingRules | undefined): string {
  if (isAscii(diff)) return diff;
  // Only line feeds end lines here: the lines of files have a mark before them.
  return diff
    .split(/(?<=\n)(?=diff --git )/)
    .map((file) => decodeFile(file, rules))
    .join('');
}

function decodeFile(file: string, rules: EncodingRules | undefined): string {
  const start = file.search(/(?<=\n)@@ /);
  const head = bytesOf(start < 0 ? file : file.slice(0, start)).toString();
  if (start < 0) return head;
  const lines = file.slice(start).split('\n');
  const [gone, rest] = [lines.filter(isGone), lines.filter((line) => !isGone(line))];
  const [before, after] = versionEncodings(
    bytesOf(gone.join('\n')),
    bytesOf(rest.join('\n')),
    encodingSetting(rules, pathOf(head)),
  );
  const text = lines.map((line) => {
    const encoding = (isGone(line) ? before : after) ?? 'utf-8';
    return isAscii(line) ? line : decodeAs(bytesOf(line), encoding);
  });
  return head + text.join('\n');
}

const isGone = (line: string): boolean => line.startsWith('-');

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

const isAscii = (text: string): boolean => !/[\x80-\xff]/.test(text);

/** The path as far as settings ask for it; git puts odd ones between quotes. */
function pathOf(head: string): string {
  const [, name = ''] = /^\+\+\+ "?b\/(.+?)"?\t?$/m.exec(head) ?? /^--- "?a\/(.+?)"?\t?$/m.exec(head) ?? [];
  return name;
}

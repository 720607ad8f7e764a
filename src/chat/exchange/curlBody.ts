import { isJsonObject } from '../../base/jsonText.ts';
import { commandPromptWords, posixWords, powerShellWords } from './shellWords.ts';

/**
 * The body that a command of cURL sends; undefined where the text has none, or its body stands in a file. Whether the command is one
 * of a POSIX shell, of PowerShell or of cmd is told by which of them makes JSON of the body.
 */
export function curlBody(text: string): string | undefined {
  if (!/curl/i.test(text)) return undefined;
  let first: string | undefined;
  const isPowerShell = /^\s*PS [^\n>]*>|`\r?\n/.test(text);
  const others = isPowerShell ? [powerShellWords, posixWords] : [posixWords, powerShellWords];
  for (const wordsOf of [...others, commandPromptWords]) {
    const body = bodyIn(wordsOf(text), text);
    if (body === undefined) continue;
    if (isObject(body)) return body;
    // Older versions of PowerShell take the quotes out of what they pass on, so that each has a backslash before it.
    const bare = /^\s*\{\s*\\"/.test(body) ? body.replace(/\\(["\\])/g, '$1') : '';
    if (isObject(bare)) return bare;
    first ??= body;
  }
  return first;
}

function isObject(json: string): boolean {
  try {
    return isJsonObject(JSON.parse(json));
  } catch {
    return false;
  }
}

/** Options that take a value beside those of the body: what follows them is none of their own. */
const shortWithValue = 'AbcCDeEFHKmoPQrtTuUwxXyYz';
const longWithValue = new Set(
  `--cacert --cert --connect-timeout --cookie --cookie-jar --data-urlencode --form --form-string --header --key --max-time --noproxy
   --oauth2-bearer --output --proxy --referer --request --retry --retry-delay --retry-max-time --resolve --upload-file --url --user
   --user-agent --write-out`.split(/\s+/),
);
const dataOption = /^(--(?:data(?:-raw|-binary|-ascii)?|json))(?:=([\s\S]*))?$/;
const shortData = new RegExp(`^-[^-d${shortWithValue}]*d([\\s\\S]*)$`);
const shortValue = new RegExp(`^-[^-d${shortWithValue}]*[${shortWithValue}]$`);

/** The body of the first command of cURL that has one. @param text the whole text, for what stands in it as a document */
function bodyIn(words: readonly string[], text: string): string | undefined {
  for (let at = 0; at < words.length; at++) {
    if (!/^(?:.*[\\/])?curl(?:\.exe)?$/i.test(words[at] ?? '')) continue;
    const { pieces, end } = dataOf(words, at + 1);
    const [first] = pieces;
    if (first === undefined) {
      at = end - 1;
      continue;
    }
    if (pieces.length === 1 && /^(?:@-$|@\/dev\/stdin$|@<\(cat|\$\(cat)/.test(first.value))
      return documentIn(text) ?? echoed(words.slice(0, at));
    if (pieces.some(({ name, value }) => value.startsWith('@') && name !== '--data-raw')) return undefined;
    return pieces.map(({ value }) => value).join(pieces.some(({ name }) => name === '--json') ? '' : '&');
  }
  return undefined;
}

/** What the options of one command say of its body, and where its words end. */
function dataOf(words: readonly string[], from: number) {
  const pieces: { readonly name: string; readonly value: string }[] = [];
  let at = from;
  for (; at < words.length && !/^(?:.*[\\/])?curl(?:\.exe)?$/i.test(words[at] ?? ''); at++) {
    const word = words[at] ?? '';
    if (longWithValue.has(word) || shortValue.test(word)) {
      at++;
      continue;
    }
    const [, name, joined] = dataOption.exec(word) ?? [];
    const attached = shortData.exec(word)?.[1];
    if (name === undefined && attached === undefined) continue;
    const value = joined ?? (attached || words[++at]);
    if (value !== undefined) pieces.push({ name: name ?? '-d', value });
  }
  return { pieces, end: at };
}

/** A document within a command: `<<EOF`, its lines, and `EOF`. */
function documentIn(text: string): string | undefined {
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, quote, mark] = /<<-?[ \t]*(['"]?)([A-Za-z_]\w{0,40})\1/.exec(line) ?? [];
    if (mark === undefined) continue;
    const end = lines.findIndex((each, index) => index > at && each.trim() === mark);
    if (end < 0) return undefined;
    const body = lines.slice(at + 1, end).join('\n');
    return quote === '' ? body.replace(/\\([$`\\])/g, '$1') : body;
  }
  return undefined;
}

/** What `echo … |` before the command writes. */
function echoed(words: readonly string[]): string | undefined {
  const [name, ...given] = words.slice(words.lastIndexOf('echo'), -1);
  return name === 'echo' && words.at(-1) === '|'
    ? given.filter((word) => !/^-[neE]+$/.test(word)).join(' ')
    : undefined;
}

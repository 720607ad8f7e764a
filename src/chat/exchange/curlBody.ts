/** The body that a command of cURL sends; undefined where the text is none, or its body stands in a file. */
export function curlBody(command: string): string | undefined {
  const words = shellWords(command.trim().replace(/^\$\s+/, ''));
  if (!/^(?:.*[\\/])?curl(?:\.exe)?$/i.test(words[0] ?? '')) return undefined;
  for (const [at, word] of words.entries()) {
    const [, name, joined] = /^(--(?:data(?:-raw|-binary|-ascii)?|json))(?:=([\s\S]*))?$/.exec(word) ?? [];
    const attached = /^-d([\s\S]+)$/.exec(word)?.[1];
    const body = joined ?? attached ?? (name !== undefined || word === '-d' ? words[at + 1] : undefined);
    if (body === undefined) continue;
    return body.startsWith('@') && name !== '--data-raw' ? undefined : body;
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', "'": "'", '"': '"', '\\': '\\' };

/** The words of a command of a POSIX shell, with Bash's `$'…'`. Variables stay as they are written. */
function shellWords(command: string): string[] {
  const words: string[] = [];
  const piece =
    /(\s+)|'([^']*)'|\$'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|\\(\r?\n)|\\([\s\S])|([^\s'"\\$]+|\$)/gy;
  let word: string | undefined;
  for (const [, space, single, ansi, double, line, escaped, plain] of command.matchAll(piece)) {
    if (space !== undefined || line !== undefined) {
      if (word !== undefined && space !== undefined) words.push(word);
      if (space !== undefined) word = undefined;
      continue;
    }
    const text =
      single ??
      (ansi === undefined ? undefined : readAnsi(ansi)) ??
      double?.replace(/\\(?:\r?\n|([\\"$`]))/g, '$1') ??
      escaped ??
      plain ??
      '';
    word = (word ?? '') + text;
  }
  return word === undefined ? words : [...words, word];
}

function readAnsi(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|x([0-9a-f]{1,2})|([\s\S]))/gi, (whole, ...groups) => {
    const [short, long, byte, letter] = groups as (string | undefined)[];
    const code = Number.parseInt(short ?? long ?? byte ?? '', 16);
    if (letter !== undefined) return escapes[letter] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

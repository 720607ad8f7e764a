const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
  ...{ "'": "'", '"': '"', '\\': '\\', '?': '?' },
};

/** The words of a command of a POSIX shell, with Bash's `$'…'`. Variables stay as they are written. */
export function posixWords(command: string): string[] {
  const piece =
    /(\s+)|'([^']*)'|\$'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|\\(\r?\n)|\\([\s\S])|([^\s'"\\$]+|\$)/gy;
  const words = createWords();
  for (const [, space, single, ansi, double, line, escaped, plain] of command.matchAll(piece)) {
    if (space !== undefined) words.end();
    else if (line === undefined)
      words.add(
        single ??
          (ansi === undefined ? undefined : readAnsi(ansi)) ??
          double?.replace(/\\(?:\r?\n|([\\"$`]))/g, '$1') ??
          escaped ??
          plain ??
          '',
      );
  }
  return words.all();
}

function createWords() {
  const words: string[] = [];
  let pieces: string[] | undefined;
  const end = (): void => {
    if (pieces !== undefined) words.push(pieces.join(''));
    pieces = undefined;
  };
  return {
    end,
    add(text: string): void {
      pieces ??= [];
      pieces.push(text);
    },
    all(): string[] {
      end();
      return words;
    },
  };
}

/** Bytes in a row, as `\xc3\xa9` or `\303\251`, and all else. */
const ansiPiece = /((?:\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}))+)|\\u([\da-fA-F]{1,4})|\\U([\da-fA-F]{1,8})|\\([\s\S])/g;

function readAnsi(text: string): string {
  return text.replace(ansiPiece, (whole, bytes?: string, short?: string, long?: string, letter?: string) => {
    if (bytes !== undefined) return readBytes(bytes);
    if (letter !== undefined) return Object.hasOwn(escapes, letter) ? (escapes[letter] ?? whole) : whole;
    const code = Number.parseInt(short ?? long ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Bash writes them as they are, which is UTF-8; Firefox means the characters of these numbers. */
function readBytes(text: string): string {
  const bytes = Array.from(text.matchAll(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3}))/g), ([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '', 8) & 0xff : Number.parseInt(hex, 16),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/**
 * The words of a command of Windows' command prompt. Browsers put a caret before each quote, and then double the backslashes, too; all
 * others write as the rules for arguments have it.
 */
export function commandPromptWords(command: string): string[] {
  const words = createWords();
  const isBrowsers = command.includes('^"');
  const text = isBrowsers ? withoutCarets(command) : command.replace(/\^\r?\n/g, ' ');
  const piece = /"((?:[^"\\]|\\[\s\S]|"")*)"|(\s+)|([^\s"]+)/gy;
  for (const [, quoted, space, plain] of text.matchAll(piece)) {
    if (space !== undefined) words.end();
    else words.add(quoted?.replace(isBrowsers ? /\\(["\\])|"(")/g : /\\(")|"(")/g, '$1$2') ?? plain ?? '');
  }
  return words.all();
}

/** A caret takes the meaning from what follows it; a line break goes with it. */
function withoutCarets(command: string): string {
  return command.replace(/\^(?:\r?\n|([\s\S]))/g, '$1');
}

/** The words of a command of PowerShell. */
export function powerShellWords(command: string): string[] {
  const words = createWords();
  const piece = /'((?:[^']|'')*)'|"((?:[^"`]|`[\s\S]|"")*)"|(`\r?\n|\s+)|`([\s\S])|([^\s'"`]+)/gy;
  for (const [, single, double, space, escaped, plain] of command.matchAll(piece)) {
    if (space !== undefined) words.end();
    else
      words.add(
        single?.replaceAll("''", "'") ??
          double?.replace(
            /`([\s\S])|"(")/g,
            (_, letter: string = '', quote: string = '') => powerLetter(letter) + quote,
          ) ??
          escaped ??
          plain ??
          '',
      );
  }
  return words.all();
}

const powerLetter = (letter: string): string => ({ n: '\n', r: '\r', t: '\t', '0': '\0' })[letter] ?? letter;

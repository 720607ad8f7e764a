import type { Shell } from '../../../../webview/shared/shellLanguages.ts';

/**
 * What of a block of code is put into a terminal. `line`: one line that runs when the user presses Enter, and not before.
 * `lines`: several that belong together, which no one line says. `unseen`: there are characters that cannot be seen. `long`:
 * more than a terminal takes in one line. `empty`: nothing to run.
 */
export type TerminalText =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'lines' | 'unseen' | 'long' | 'empty' };

/** The longest line, in bytes: a terminal that is not ready yet takes no more than 4,095. */
const longestLine = 4_000;

/**
 * Controls, marks that turn the direction of the text, characters without a width, halves of characters: what is seen would not
 * be what runs, and a terminal takes some of them for keys.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** Needed within emoji, and by scripts that join letters. */
const joins =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Lo}|\p{M})\u200D(?=\p{Extended_Pictographic}|\p{Lo})|(?<=\p{Emoji})\uFE0F/gu;

/**
 * A shell runs a line as soon as its end is typed, so that the text has none: commands on lines of their own are joined so that
 * each runs if the one before it succeeded. Nor does it have a tab, for which a shell may run what completes words.
 */
export function terminalText(code: string, shell: Shell): TerminalText {
  const lines = code.replaceAll('\t', ' ').split(/\r\n|\n/);
  if (lines.some((line) => unseen.test(line.replace(joins, '')))) return { kind: 'unseen' };
  const commands = commandsOf(lines, shell);
  if (commands.length === 0) return { kind: 'empty' };
  if (commands.length > 1 && commands.some((command) => !standsAlone(command, shell))) return { kind: 'lines' };
  const text = commands.join(shell === 'powershell' ? '; ' : ' && ');
  return new TextEncoder().encode(text).length > longestLine ? { kind: 'long' } : { kind: 'line', text };
}

const prompt: Readonly<Record<Shell, RegExp>> = {
  posix: /^\s*(?:\$|%|[\w.-]+@[\w.-]+[^$#]{0,100}[$#])\s+/,
  powershell: /^\s*PS(?: [^>]{0,200})?>\s*/,
  cmd: /^\s*[A-Za-z]:\\[^>]{0,200}>\s*/,
};
const comment: Readonly<Record<Shell, RegExp>> = { posix: /^\s*#/, powershell: /^\s*#/, cmd: /^\s*(?:::|rem\b)/i };
const goesOn: Readonly<Record<Shell, RegExp>> = { posix: /\\$/, powershell: /`$/, cmd: /\^$/ };

/** The commands, without comments, and without what a session that was written down has around them. */
function commandsOf(lines: readonly string[], shell: Shell): string[] {
  const isSession = lines.some((line) => prompt[shell].test(line));
  const typed = isSession ? lines.filter((line) => prompt[shell].test(line)) : lines;
  const commands: string[] = [];
  let open = '';
  for (const line of typed.map((each) => each.replace(isSession ? prompt[shell] : '', ''))) {
    if (open === '' && (line.trim() === '' || comment[shell].test(line))) continue;
    if (goesOn[shell].test(line)) {
      open += `${line.slice(0, -1).trim()} `;
    } else {
      commands.push((open + line.trim()).trim());
      open = '';
    }
  }
  // A sign that the line goes on would take in what is typed after it.
  if (open.trim() !== '') commands.push(open.trim());
  return joinOperators(commands.filter(Boolean));
}

/** A line that ends with an operator, or begins with one, goes on. */
function joinOperators(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && (/(?:&&|\|\|?)$/.test(last) || /^(?:&&|\|)/.test(line))) {
      joined[joined.length - 1] = `${last} ${line}`;
    } else joined.push(line);
  }
  return joined;
}

/** Words that begin or end a part of several lines. */
const block =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|switch|begin|end|try|catch|foreach|param|goto)\b|^[{}()]|[{(]$|^:\w|;;$/i;

/** Whether a command can be joined with others: it is whole, and no rest of it would take them in. */
function standsAlone(command: string, shell: Shell): boolean {
  if (block.test(command) || /<<|(?<!&)&$|(?:^|\s)#|@['"]$/.test(command)) return false;
  if (/;$/.test(command) || (shell === 'cmd' && /(?:^|&)\s*(?:rem\b|::)/i.test(command))) return false;
  // A quote that is not closed goes on in the next line.
  const quotes = command.replaceAll(/\\./g, '');
  return [`'`, '"', '`'].every((mark) => (quotes.split(mark).length - 1) % 2 === 0);
}

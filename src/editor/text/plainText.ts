declare const made: unique symbol;

/**
 * Text that stays text wherever VS Code shows it: nothing in it is a link or an icon, and nothing in it is hidden or
 * changes the order of what is read. `plain` makes it, and nothing else does.
 */
export type PlainText = string & { readonly [made]: true };

/** The length, in characters, at which VS Code cuts the text of a notification. */
const usualLength = 1_000;
const mostLines = 100;

/**
 * VS Code makes a link of `[label](command:…)`, in Markdown also of `<command:…>`, and an icon of `$(name)`. A WORD JOINER within ends
 * each: it has no width, so the text reads as it was written, and no line breaks at it. One that came from outside is shown as
 * `\u{2060}`, apart from these places, where it does no harm: so plain text stays the same when it is made plain again.
 */
const joiner = '\u2060';

const places = new RegExp(`([\\]$])${joiner}*(?=\\()|(<)${joiner}*(?=[A-Za-z])`, 'g');
/** Places where Markdown finds an address without marks around it. */
const bareAddress = /:(?=\/\/)|(?<=\bwww)(?=\.)|@/gi;

/** Marks without a look of their own that writing needs: within emoji, within words of Arabic or Indian scripts, after Han. */
const needed = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Lo}\p{M}])[\u200C\u200D](?=\p{Lo})`,
  String.raw`(?<=\p{Emoji})[\u{FE0E}\u{FE0F}]`,
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
  `(?<=[\\]$])${joiner}(?=\\()|(?<=<)${joiner}(?=[A-Za-z])`,
].join('|');

/**
 * Controls, marks that turn the direction, characters of no width, tags, halves of characters, and those that a font of
 * icons has pictures for.
 */
const unseen = String.raw`[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]`;
const neededOrUnseen = new RegExp(`(${needed})|${unseen}`, 'gu');

/** The rest that a cut leaves of a character, or of a mark between two. */
const halfAtEnd = new RegExp(`[\\uD800-\\uDBFF\\u200C\\u200D${joiner}]+$`);

/**
 * The text with its invisible characters written out, as `\u{202E}`. Not for VS Code's own labels: links and icons stay.
 * @param text with line breaks or without: they stay as well
 */
export function showUnseen(text: string): string {
  return text.replace(neededOrUnseen, (found, isNeeded: string | undefined) =>
    isNeeded !== undefined || found === '\n' || found === '\t'
      ? found
      : `\\u{${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`,
  );
}

/** The text without its invisible characters: for a place where the user goes on writing. Line breaks and tabs stay. */
export function withoutUnseen(text: string): string {
  return text.replace(neededOrUnseen, (found, isNeeded: string | undefined) =>
    isNeeded !== undefined || /[\n\r\t]/.test(found) ? found : '',
  );
}

/**
 * Text from anywhere as one line of text that is only text. Line breaks become spaces.
 * @param options.length characters it is cut to, with `…`
 */
export function plain(text: string, { length }: { length: number } = { length: usualLength }): PlainText {
  // The text is cut before it is read: it may be megabytes.
  const start = text.length > length ? text.slice(0, length).replace(halfAtEnd, '') : text;
  const shown = showUnseen(start.replace(/\s*[\t\r\n\u0085\u2028\u2029]\s*/g, ' ')).replace(places, `$1$2${joiner}`);
  const isWhole = text.length <= length && shown.length <= length;
  return (isWhole ? shown : `${shown.slice(0, length - 1).replace(halfAtEnd, '')}…`) as PlainText;
}

/**
 * Text for a place from which VS Code puts it into Markdown as it is, and which is a label elsewhere: the name of a model. Nothing
 * in it is a link there, though a word between stars may be drawn bold.
 */
export function plainInMarkdown(text: string): PlainText {
  return plain(text).replace(bareAddress, `$&${joiner}`) as PlainText;
}

/** Several lines, each made plain: for a tooltip or a dialog of ours whose line breaks are ours, too. */
export function plainLines(text: string): PlainText {
  return text
    .split('\n', mostLines)
    .map((line) => plain(line))
    .join('\n') as PlainText;
}

/** Text with an icon of ours before it. */
export function withIcon(icon: string, text: string): PlainText {
  return `$(${icon}) ${plain(text)}` as PlainText;
}

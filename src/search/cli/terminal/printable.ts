/** Characters that a terminal acts on, that turn the direction of a text, or that have no width: only blanks and line ends are none of them. */
const unprintable = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** A text from outside as a terminal may show it: what could do anything there is written as its number, `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A value as JSON that a terminal shows as text, too. It reads as the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

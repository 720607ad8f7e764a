/** Classes of ASCII characters in an identifier; 0: not part of one. */
const [lower, upper, digit, joint] = [1, 2, 3, 4];
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const shapes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[_$]/];
  return 1 + shapes.findIndex((shape) => shape.test(String.fromCharCode(code)));
});

/** A text of ASCII for the word index: every identifier, followed by its words. Nearly all code is such, so it is read letter by letter. */
export function asciiWords(text: string): string {
  const kindAt = (at: number): number => (at < text.length ? (kinds[text.charCodeAt(at)] as number) : 0);
  let indexed = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    let kind = kindAt(at);
    let before = 0;
    let from = at;
    let words = '';
    let count = 0;
    for (; kind !== 0; at++) {
      const next = kindAt(at + 1);
      const isHump = kind === upper && (before === upper ? next === lower : before === lower || before === digit);
      if (isHump || kind === joint) {
        if (at > from) {
          words += ` ${text.slice(from, at)}`;
          count++;
        }
        from = kind === joint ? at + 1 : at;
      }
      before = kind;
      kind = next;
    }
    if (count === 0 || (count === 1 && at === from)) continue;
    indexed += text.slice(done, at) + words + (at > from ? ` ${text.slice(from, at)}` : '');
    done = at;
  }
  return indexed + text.slice(done);
}

/** Whether more lists and objects stand in each other in a JSON text than there may be. It is read letter by letter, before it is parsed. */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === backslash) at++;
      else if (code === quote) isString = false;
    } else if (code === quote) isString = true;
    else if (code === bracket || code === brace) {
      if (++depth > most) return true;
    } else if (code === bracket + 2 || code === brace + 2) depth--;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
/** The opening ones; each closing one is two further. */
const bracket = 0x5b;
const brace = 0x7b;

import { createHash } from 'node:crypto';

/** The name of a function (service-api.md 2.3). */
const fits = /^[a-zA-Z0-9_-]{1,64}$/;
const longest = 64;

/** The names of tools, as extensions give them and as a service takes them. */
export interface ToolNames {
  /** The name to send; of a tool that is not offered any more, too. */
  sent(name: string): string;
  /** The name that was given for one that a service answers with. */
  given(name: string): string;
}

/** @param names of the tools that are offered: a name that fits is sent as it is, another one in signs that fit, each once */
export function createToolNames(names: readonly string[]): ToolNames {
  const bySent = new Map(names.filter((name) => fits.test(name)).map((name) => [name, name]));
  const byGiven = new Map(bySent);
  for (const name of names) if (!byGiven.has(name)) define(name);

  function define(name: string): string {
    const plain = fitted(name);
    const sent = bySent.has(plain) ? withMark(plain, name) : plain;
    bySent.set(sent, name);
    byGiven.set(name, sent);
    return sent;
  }

  return {
    sent: (name) => byGiven.get(name) ?? (fits.test(name) ? name : fitted(name)),
    given: (name) => bySent.get(name) ?? name,
  };
}

/** In signs that fit. A name that is too long, or has letters that none stand for, keeps apart from others by a mark. */
function fitted(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_-]/g, '_');
  const isTold = /[a-zA-Z0-9]/.test(plain) && plain.length <= longest;
  return isTold ? plain : withMark(plain, name);
}

function withMark(plain: string, name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, longest - mark.length - 1)}_${mark}`;
}

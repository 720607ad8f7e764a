/** What stands behind a fence: the language, and the file where one is named. */
export interface FenceInfo {
  readonly language: string;
  readonly path?: string | undefined;
}

const named = /\b(?:title|file|filename|path|name)=(?:"([^"]+)"|'([^']+)'|(\S+))/i;

/** `ts`, `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"` or `ts {1-3}`. Whether the path is one is not looked at. */
export function fenceInfo(info: string): FenceInfo {
  const [first = '', ...rest] = info.trim().split(/\s+/);
  const [, language = '', behind] = /^([^:{]*)(?::(.+))?/.exec(first) ?? [];
  const [, ...quoted] = named.exec(info) ?? [];
  const path =
    quoted.find((each) => each !== undefined) ?? behind ?? rest.find((word) => /^[\w@./-]+\.\w+$/.test(word));
  return { language, ...(path !== undefined && { path }) };
}

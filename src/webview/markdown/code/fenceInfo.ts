import { fileInInfo } from '../../shared/namedInText.ts';

/** What stands behind a fence: the language, and the file where one is named. */
export interface FenceInfo {
  readonly language: string;
  /** As it is written where it is no path: nobody may take another file for it. */
  readonly path?: string | undefined;
}

/** `ts`, `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `src/a.ts` or `ts {1-3}`. */
export function fenceInfo(info: string): FenceInfo {
  const named = fileInInfo(info);
  const path = named?.kind === 'path' ? named.path : named?.text;
  const [first = ''] = info.trim().split(/\s+/, 1);
  const [language = ''] = first.split(/[:{]/, 1);
  const isName = path !== undefined && (/^(?:\d+|[A-Za-z]|file)$|[\\/]/.test(language) || language === path);
  const shown = isName ? (/\.(\w+)$/.exec(path)?.[1] ?? '') : language;
  return { language: shown, ...(path !== undefined && { path }) };
}

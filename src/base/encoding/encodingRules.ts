import type { EncodingSetting } from './decode.ts';

/** The encodings of the files in a folder of the workspace, as the user's settings have them. Goes between threads and processes. */
export interface EncodingRules extends EncodingSetting {
  /** Files whose language has a setting of its own, by how their names end, the first that fits: `.c`, `/Makefile`. */
  readonly byName?: readonly NamedEncoding[] | undefined;
}

export interface NamedEncoding {
  /** In small letters. With `/` before it, the whole name. */
  readonly end: string;
  readonly setting: EncodingSetting;
}

/**
 * The setting for a file.
 * @param path within the folder, with `/`
 */
export function encodingSetting(rules: EncodingRules | undefined, path: string): EncodingSetting {
  // VS Code writes its own files in UTF-8, whatever the setting says.
  if (rules === undefined || /(^|\/)\.vscode\//.test(path)) return {};
  const name = `/${path.slice(path.lastIndexOf('/') + 1).toLowerCase()}`;
  return rules.byName?.find(({ end }) => name.endsWith(end))?.setting ?? rules;
}

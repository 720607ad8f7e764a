import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from 'jsonc-parser';
import { type ConfigEntry, ConfigProblem, type ServerCommand, serverName } from './configEntry.ts';

/**
 * The entry in a file of JSON, with or without comments.
 * @param section the keys under which the servers stand
 * @param formOf the entry's value
 */
export function jsonEntry(section: readonly string[], formOf: (server: ServerCommand) => unknown): ConfigEntry {
  const path = [...section, serverName];
  return {
    isIn: (text) => holderOf(text, section)?.[serverName] !== undefined,
    put(text, server) {
      holderOf(text, section);
      const edits = modify(text, path, formOf(server), { formattingOptions: layoutOf(text) });
      const changed = applyEdits(text, edits);
      return changed.endsWith('\n') ? changed : `${changed}\n`;
    },
    remove(text) {
      if (holderOf(text, section)?.[serverName] === undefined) return text;
      return applyEdits(text, modify(text, path, undefined, { formattingOptions: layoutOf(text) }));
    },
    alone: (server) =>
      JSON.stringify(
        path.reduceRight<unknown>((value, key) => ({ [key]: value }), formOf(server)),
        null,
        2,
      ),
  };
}

/** The object in which the servers stand; undefined where the file has none yet. @throws ConfigProblem where something else is there */
function holderOf(text: string, section: readonly string[]): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  let value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || !isObject(value)) throw new ConfigProblem();
  for (const key of section) {
    if (!isObject(value)) throw new ConfigProblem();
    if (!Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  if (!isObject(value)) throw new ConfigProblem();
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The indentation of the file's first indented line. */
function layoutOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol };
}

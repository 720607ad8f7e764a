import { type ConfigEntry, ConfigProblem, type ServerCommand, serverName } from './configEntry.ts';

/**
 * The entry in a file of TOML: a table of its own, `[section.parley-search]`, with those below it. No library for TOML keeps comments, and a
 * table can be told by its header.
 */
export function tomlEntry(section: string): ConfigEntry {
  const name = `(?:${serverName}|"${serverName}"|'${serverName}')`;
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${section}[ \\t]*\\.[ \\t]*${name}[ \\t]*(?:\\.[^\\]\\n]*)?\\]`);
  /** Servers that are written otherwise than as tables: another table would be a second definition. */
  const otherForm = new RegExp(`^[ \\t]*${section}[ \\t]*(?:=|\\.[^=\\n]*=)`, 'm');

  function without(text: string): { text: string; isThere: boolean } {
    let isOurs = false;
    let isThere = false;
    const kept = text.split(/(?<=\n)/).filter((line) => {
      if (/^[ \t]*\[/.test(line)) isOurs = header.test(line);
      isThere ||= isOurs;
      return !isOurs;
    });
    return { text: isThere ? kept.join('').replace(/\n{3,}$/, '\n\n') : text, isThere };
  }

  const alone = ({ command, args }: ServerCommand): string =>
    // The strings of JSON are among those of TOML.
    `[${section}.${serverName}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((each) => JSON.stringify(each)).join(', ')}]`;

  return {
    isIn: (text) => without(text).isThere,
    put(text, server) {
      if (otherForm.test(text)) throw new ConfigProblem();
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const rest = without(text).text.trimEnd();
      const entry = alone(server).replaceAll('\n', eol);
      return rest === '' ? `${entry}${eol}` : `${rest}${eol}${eol}${entry}${eol}`;
    },
    remove(text) {
      const { text: rest, isThere } = without(text);
      return isThere ? (rest.trim() === '' ? '' : `${rest.trimEnd()}${text.includes('\r\n') ? '\r\n' : '\n'}`) : text;
    },
    alone,
  };
}

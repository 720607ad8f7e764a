import type { Language } from './languages.ts';
import { splitIdentifier } from './rulesBefore.ts';

/** A text of a project, by its path. */
export interface SourceFile {
  path: string;
  lines: string[];
}

/** A name that is declared in exactly one file. */
export interface Declaration {
  name: string;
  path: string;
  /** The line of its first declaration, from 0. */
  line: number;
  /** Other files in which the name occurs. */
  uses: number;
}

/** The names that exactly one of the files declares, by name. */
export function symbolsOf(files: readonly SourceFile[], language: Language): Map<string, Declaration> {
  const declared = new Map<string, Declaration | 'many'>();
  for (const { path, lines } of files) {
    if (!language.files.test(path)) continue;
    for (const [line, text] of lines.entries()) {
      if (text.length > 300) continue;
      for (const declaration of language.declarations) {
        const name = declaration.exec(text)?.[1];
        if (name === undefined) continue;
        const known = declared.get(name);
        if (known === undefined) declared.set(name, { name, path, line, uses: 0 });
        else if (known !== 'many' && known.path !== path) declared.set(name, 'many');
        break;
      }
    }
  }
  const symbols = new Map<string, Declaration>();
  for (const [name, symbol] of declared) if (symbol !== 'many') symbols.set(name, symbol);
  for (const { path, lines } of files) {
    if (!language.files.test(path)) continue;
    const inFile = new Set(lines.join('\n').match(/[A-Za-z_$][\w$]*[?!]?/g));
    for (const name of inFile) {
      const symbol = symbols.get(name);
      if (symbol !== undefined && symbol.path !== path) symbol.uses++;
    }
  }
  return symbols;
}

/** An identifier in words, as a person would say it; undefined for one that is a word. */
export function inWords(name: string): string | undefined {
  const words = splitIdentifier(name.replace(/[?!]$/, ''));
  return words.length < 2 ? undefined : words.join(' ').toLowerCase();
}

import { extensions } from 'vscode';

interface ContributedLanguage {
  id: string;
  extensions?: string[];
  filenames?: string[];
}

/** The languages this VS Code knows, by id, each with the ends of the names of its files, such as `.ts`. */
export function codeLanguages(): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, string[]>();
  for (const { packageJSON } of extensions.all) {
    const contributed: ContributedLanguage[] = packageJSON.contributes?.languages ?? [];
    for (const { id, extensions: ends = [], filenames = [] } of contributed) {
      if (ends.length + filenames.length > 0) known.set(id, [...(known.get(id) ?? []), ...ends, ...filenames]);
    }
  }
  return new Map([...known].sort(([a], [b]) => a.localeCompare(b)));
}

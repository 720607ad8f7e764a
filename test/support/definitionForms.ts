import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A source, and the names it defines. */
export interface Form {
  readonly source: string;
  readonly names: readonly string[];
}

/** The forms of one language (test/corpus/definitions/README.md). */
export interface FormsOfLanguage {
  readonly language: string;
  /** The path that chooses the language. */
  readonly path: string;
  readonly forms: readonly Form[];
}

/** The forms of declarations of all languages. @param corpus the folder `test/corpus` */
export function readDefinitionForms(corpus: string): FormsOfLanguage[] {
  const folder = join(corpus, 'definitions');
  return globSync('*.txt', { cwd: folder })
    .sort()
    .map((file) => readForms(readFileSync(join(folder, file), 'utf8'), file.replace('.txt', '')));
}

function readForms(text: string, language: string): FormsOfLanguage {
  const [head = '', ...parts] = text.split(/^@@@@(?: |(?=\n))/m);
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1];
  const before = field('before');
  const forms = parts.map((part) => {
    const end = part.indexOf('\n');
    const source = part.slice(end + 1);
    return {
      source: before === undefined ? source : `${before}\n${source}`,
      names: part.slice(0, end).split(' ').filter(Boolean),
    };
  });
  return { language, path: field('path') ?? '', forms };
}

/** `definition` as the reason of a hit, in every language, for each declaration of the corpus. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { commands } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids/ids.ts';
import { readDefinitionForms } from '../../../support/definitionForms.ts';
import { folder, writeScratch } from '../support/codeIndex.ts';
import { dialog } from '../support/hands.ts';
import { repositoryRoot } from '../support/subject.ts';
import { until } from '../support/until.ts';

const languages = readDefinitionForms(join(repositoryRoot(), 'test/corpus')).filter(({ forms }) =>
  forms.some(({ names }) => names.length > 0),
);
const fileOf = (language: string, path: string, at: number): string =>
  `${language}/form${at}${extname(path) || `/${path}`}`;

const find = (query: string, language: string): Thenable<SearchHit[]> =>
  commands.executeCommand('parley.search.query', query, { limit: 100, globs: [`scratch/${language}/**`] });

const hitIn = (file: string, hits: readonly SearchHit[]): SearchHit | undefined =>
  hits.find(({ uri }) => uri.path.endsWith(`/${file}`));

describe('A definition as the reason of a hit', () => {
  before(async () => {
    const deleting = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Delete Index');
    await deleting;
    for (const { language, path, forms } of languages)
      for (const [at, { source }] of forms.entries()) writeScratch(fileOf(language, path, at), source);
    for (const { language, path, forms } of languages) {
      for (const [at, { names }] of forms.entries()) {
        const [name] = names;
        if (name === undefined) continue;
        const file = fileOf(language, path, at);
        await until(`${file} is read`, async () => hitIn(file, await find(name, language)));
      }
    }
  });
  after(() => rmSync(join(folder(), 'scratch'), { recursive: true, force: true }));

  for (const { language, path, forms } of languages) {
    it(`is said of each declaration of ${language}, asked for by its name`, async () => {
      const wrong: string[] = [];
      for (const [at, { names }] of forms.entries()) {
        for (const name of names) {
          const file = fileOf(language, path, at);
          const hit = hitIn(file, await find(name, language));
          if (hit?.why !== 'definition') wrong.push(`${name} of ${file}: ${hit?.why ?? 'not found'}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }
});

/** `definition` as the reason of a hit, in every language, for each declaration of the corpus. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { commands } from 'vscode';
import type { SearchHit } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids.ts';
import { readDefinitionForms } from '../../../support/definitionForms.ts';
import { folder, writeScratch } from '../support/codeIndex.ts';
import { dialog } from '../support/hands.ts';
import { extensionPath } from '../support/subject.ts';
import { until } from '../support/until.ts';

const languages = readDefinitionForms(join(extensionPath(), 'test/corpus')).filter(({ forms }) =>
  forms.some(({ names }) => names.length > 0),
);
const fileOf = (language: string, path: string, at: number): string =>
  `${language}/form${at}${extname(path) || `/${path}`}`;

const find = (query: string, language: string): Thenable<SearchHit[]> =>
  commands.executeCommand('parley.search.query', query, { limit: 100, globs: [`scratch/${language}/**`] });

describe('A definition as the reason of a hit', () => {
  before(async () => {
    const deleting = commands.executeCommand(Command.searchDeleteIndex);
    await dialog.press('Delete Index');
    await deleting;
    for (const { language, path, forms } of languages)
      for (const [at, { source }] of forms.entries()) writeScratch(fileOf(language, path, at), source);
    for (const { language, forms } of languages) {
      const [name = ''] = forms.findLast(({ names }) => names.length > 0)?.names ?? [];
      await until(`${language} is read`, async () => (await find(name, language)).length > 0);
    }
  });
  after(() => rmSync(join(folder(), 'scratch'), { recursive: true, force: true }));

  for (const { language, path, forms } of languages) {
    it(`is said of each declaration of ${language}, asked for by its name`, async () => {
      const wrong: string[] = [];
      for (const [at, { names }] of forms.entries()) {
        for (const name of names) {
          const hits = await find(name, language);
          const file = fileOf(language, path, at);
          const hit = hits.find(({ uri }) => uri.path.endsWith(`/${file}`));
          if (hit?.why !== 'definition') wrong.push(`${name} of ${file}: ${hit?.why ?? 'not found'}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { chunkFile } from '../../../../src/search/chunker/chunker.ts';
import { readDefinitionForms } from '../../../support/definitionForms.ts';

const all = readDefinitionForms(join(import.meta.dirname, '../../../corpus'));

for (const { language, path, forms } of all) {
  test(`the declarations of ${language} give their names, and nothing else does`, async () => {
    const wrong: unknown[] = [];
    for (const { source, names } of forms) {
      const found = (await chunkFile(path, source)).flatMap((chunk) => chunk.names);
      if (found.join(' ') !== names.join(' ')) wrong.push({ source, found: found.join(' '), names: names.join(' ') });
    }
    assert.deepEqual(wrong, []);
  });
}

test('there are at least 150 forms', () => {
  const count = all.reduce((sum, { forms }) => sum + forms.length, 0);
  assert.ok(count >= 150, String(count));
});

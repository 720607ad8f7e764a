import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { getL10nJson } from '@vscode/l10n-dev';

const root = join(import.meta.dirname, '../..');
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => ({
  file,
  contents: readFileSync(join(root, file), 'utf8'),
}));

describe('what a user reads', () => {
  test('stands in l10n/bundle.l10n.json, ready to be translated (`npm run l10n` writes it)', async () => {
    const withStrings = sources.filter(({ contents }) => contents.includes('l10n'));
    const found = await getL10nJson(withStrings.map(({ contents }) => ({ extension: '.ts', contents })));
    const written = JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8'));
    assert.deepEqual(Object.keys(written).sort(), Object.keys(found).sort());
  });

  test('never goes into a message, a title or a placeholder as a bare literal', () => {
    const bare =
      /(?:show(?:Error|Warning|Information)Message\(|\b(?:title|placeHolder|placeholder|prompt|tooltip|label|detail|description|message):\s*)(['"`])(?=[^'"`]*[A-Z][a-z]+ )[^'"`]*\1/g;
    const offences = sources
      .filter(({ file }) => /^src\/(editor|extension|\w+\/ui)/.test(file))
      .flatMap(({ file, contents }) => [...contents.matchAll(bare)].map(([text]) => `${file}: ${text}`));
    assert.deepEqual(offences, []);
  });

  test('has numbers and dates in the language of VS Code, not of the system', () => {
    const ofSystem = sources.flatMap(({ file, contents }) =>
      [...contents.matchAll(/\.toLocale(?:Date|Time)?String\((?!env\.language\b)/g)].map(
        ({ 0: text }) => `${file}: ${text}`,
      ),
    );
    assert.deepEqual(ofSystem, []);
  });

  test('is calm: no exclamation mark, no “please”, no “oops”', () => {
    const strings = [
      ...Object.values<string>(JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'))),
      ...Object.keys(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8'))),
    ];
    assert.deepEqual(
      strings.filter((text) => /!|\bplease\b|\boops\b/i.test(text)),
      [],
    );
  });
});

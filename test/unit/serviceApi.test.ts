import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settingIds } from '../../src/ids.ts';
import { root } from '../support/namedTests.ts';

const text = readFileSync(join(root, 'docs/service-api.md'), 'utf8');

describe('docs/service-api.md', () => {
  test('has every section that comments cite', () => {
    const sections = new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)?)/gm)].map((match) => match[1]));
    // The peers of the benches, where they are installed, cite documents of their own.
    const files = globSync('{src,test}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] });
    const cited = files.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /(?:service-api\.md,?|\b[Ss]ection|\bTable) (\d\.\d+)(?: to (\d\.\d+))?/g,
        ),
      ].flatMap(([, first, last = first]) => [first, last].map((section) => ({ file, section }))),
    );
    assert.ok(cited.length >= 10);
    assert.deepEqual(
      cited.filter(({ section }) => !sections.has(section)),
      [],
    );
  });

  test('names settings, and files of the source, that there are', () => {
    const settings: readonly string[] = settingIds;
    const named = [...text.matchAll(/`(parley\.[\w.]+)`/g)].map(([, id = '']) => id);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((id) => !settings.includes(id)),
      [],
    );
    const files = [...text.matchAll(/`(src\/[\w./]+)`/g)].map(([, file = '']) => file);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });
});

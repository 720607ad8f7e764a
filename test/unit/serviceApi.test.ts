import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { settingIds } from '../../src/ids/settingIds.ts';
import { readRows, root, whyNotRun } from '../support/namedTests.ts';

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

  test('names for each field of a chat a test in which it is set, or seen', () => {
    const rows = readRows('docs/service-api.md', /^2\.\d `/);
    const sectionOf = (number: string): string => {
      const from = text.indexOf(`### ${number} `);
      return text.slice(from, text.indexOf('\n### ', from + 1));
    };
    const fields = ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6'].flatMap((number) => {
      const section = sectionOf(number).split('**Left open:**')[0] ?? '';
      const listed = number === '2.6' ? [section] : section.split('\n').filter((line) => line.startsWith('| '));
      const cell = number === '2.3' ? /^\| \w* ?\| `(\w+)`/ : /^\| ((?:`[\w.]+`(?:, )?)+)/;
      return listed
        .flatMap((line) => (number === '2.6' ? [line] : [cell.exec(line)?.[1] ?? '']))
        .flatMap((names) => (names.match(/[a-z_]{2,}(?=`|$)/g) ?? []).map((name) => `${number} \`${name}\``))
        .filter((name) => !/`(?:data)`/.test(name));
    });
    assert.ok(fields.length > 45, `${fields.length} fields`);
    const named = new Set(rows.map(([field]) => field));
    assert.deepEqual(
      fields.filter((field) => !named.has(field)),
      [],
    );
    const faults = rows.map(([field, title = '', file = '']) => [field, whyNotRun(file, title)]);
    assert.deepEqual(
      faults.filter(([, fault]) => fault !== undefined),
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../support/namedTests.ts';

const exclude = ['test/bench/node_modules/**'];
const code = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude });
const others = globSync(['docs/*.md', 'test/**/*.md', 'test/**/*.mjs', '*.mjs'], { cwd: root, exclude });
const known = [...code, ...others].map((path) => `/${path.replaceAll('\\', '/')}`);

/** Paths that stand for any file, and two files of VS Code. */
const examples = ['a.ts', 'name.ts', 'src/a.ts', 'a/b/c.ts', 'linkedText.ts', 'iconLabels.ts'];

/** What names a file of ours: the name of a file of code, with or without folders before it, or a page below docs or test. */
const pathLike =
  /(?<![\w.*/@<{-])(?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs)\b(?![\w*/])|(?<![\w.*/-])(?:docs|test)\/[\w./-]+\.md\b/g;

function commentsOf(text: string): string[] {
  return text.split('\n').filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line));
}

test('a comment names only files that are there', () => {
  const lost = code.flatMap((file) =>
    commentsOf(readFileSync(`${root}/${file}`, 'utf8'))
      .flatMap((line) => line.match(pathLike) ?? [])
      .filter((name) => !examples.includes(name) && !known.some((path) => path.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(lost, []);
});

import assert from 'node:assert/strict';
import { join, parse, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { isInside, relativePath } from '../../../src/base/paths.ts';

const root = resolve('harbour');

describe('a path under a root', () => {
  test('is inside: the root itself, what is below it, and names that only look like the way up', () => {
    for (const path of [root, join(root, 'src'), join(root, 'src/a.ts'), join(root, '..a')]) {
      assert.ok(isInside(root, path), path);
    }
    assert.ok(isInside(parse(root).root, root));
  });

  test('is not inside: the folders above, and a neighbour whose name begins as the root', () => {
    for (const path of [resolve(root, '..'), `${root}s`, join(`${root}-old`, 'a.ts'), resolve('quay')]) {
      assert.ok(!isInside(root, path), path);
    }
  });

  test('is named from the root, with /', () => {
    assert.equal(relativePath(root, root), '');
    assert.equal(relativePath(root, join(root, 'src', 'a.ts')), 'src/a.ts');
    assert.equal(relativePath(root, `${root}s`), undefined);
  });
});

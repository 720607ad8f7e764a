import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanPath, matchPath, pathInProse } from '../../../../src/edits/answer/reading/namedPath.ts';

const known = ['src/a.ts', 'src/main.ts', 'lib/src/a.ts', 'util.py', 'src/größe.ts', 'docs/My Notes/a.md'];

describe('A path of an answer', () => {
  it('is the known one that an absolute path ends with, the longest, by whole folders', () => {
    for (const named of [
      '/home/u/proj/src/a.ts',
      'C:\\proj\\src\\a.ts',
      'file:///home/u/proj/src/a.ts',
      'file:///C:/proj/src/a.ts',
    ])
      assert.equal(matchPath(named, known), 'src/a.ts', named);
    assert.equal(matchPath('/home/u/lib/src/a.ts', known), 'lib/src/a.ts');
    assert.equal(matchPath('C:\\proj\\util.py', known), 'util.py');
    assert.deepEqual(matchPath('/home/u/my-util.py', known), []);
    assert.deepEqual(matchPath('/home/u/proj/src/b.ts', known), []);
  });

  it('is the known one that it is, or that ends with it', () => {
    assert.equal(matchPath('./src/a.ts', known), 'src/a.ts');
    assert.equal(matchPath('main.ts', known), 'src/main.ts');
    assert.equal(matchPath('src\\größe.ts', known), 'src/größe.ts');
    assert.equal(matchPath('src/gro\u0308ße.ts', known), 'src/größe.ts');
    assert.equal(matchPath('My%20Notes/a.md', known), 'docs/My Notes/a.md');
    assert.deepEqual(matchPath('a.ts', known), ['src/a.ts', 'lib/src/a.ts']);
    assert.equal(matchPath('src/b.ts', known), undefined);
    assert.equal(matchPath('/src/b.ts', known), undefined);
    assert.equal(matchPath('packages/x/util.py', known, 'util.py'), undefined);
  });

  it('has the side of a diff before it only where the rest is known', () => {
    assert.equal(matchPath('a/util.py', known), 'util.py');
    assert.equal(matchPath('b/src/main.ts', known), 'src/main.ts');
    assert.equal(matchPath('b/util.py', [...known, 'b/util.py']), 'b/util.py');
    assert.equal(matchPath('a/new.py', known), undefined);
  });

  it('that is no path is no file, and never a new one', () => {
    const unclear = pathInProse(['Create the file `Foo`:']);
    assert.equal(unclear, 'Foo');
    assert.deepEqual(matchPath(unclear, known, 'src/main.ts'), []);
    assert.deepEqual(matchPath('../src/b.ts', known), []);
    assert.equal(matchPath('../src/main.ts', known), 'src/main.ts');
  });

  it('is written as those of the workspace are', () => {
    assert.equal(cleanPath('./src\\a.ts:12'), 'src/a.ts');
    assert.equal(cleanPath('/src/a.ts'), 'src/a.ts');
  });
});

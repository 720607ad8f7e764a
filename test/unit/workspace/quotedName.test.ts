import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unquoteName } from '../../../src/workspace/git/quotedName.ts';

test('a name in quotes is read as git writes it: octal bytes, escapes, quotes and backslashes, also all at once', () => {
  const named = (written: string): string => unquoteName(`"${written}"`);
  assert.equal(named('b/sch\\303\\266n.ts'), 'b/schön.ts');
  assert.equal(named('a \\"quoted\\" name'), 'a "quoted" name');
  assert.equal(named('sch\\303\\266n \\"and\\" quoted'), 'schön "and" quoted');
  assert.equal(named('back\\\\slash'), 'back\\slash');
  assert.equal(named('a\\tb'), 'a\tb');
  assert.equal(named('\\346\\227\\245'), '日');
  assert.equal(named('plain.ts'), 'plain.ts');
});

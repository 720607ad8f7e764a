import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutStrings } from '../../../../src/edits/place/lineStrings.ts';

test('strings that begin and end in a line are left out, others stay', () => {
  assert.equal(withoutStrings(`call("a{", '}') + \`(\``), 'call(, ) + ');
  assert.equal(withoutStrings(`"a\\"{" + b`), ' + b');
  assert.equal(withoutStrings("it doesn't end {"), "it doesn't end {");
});

test('an apostrophe before many escapes is read at once, not in each of the ways that it could be', () => {
  const line = `// It doesn't match ${'\\d+\\.'.repeat(60)} {`;
  assert.equal(withoutStrings(line), line);
  const long = '\\"'.repeat(100_000);
  assert.equal(withoutStrings(long), long);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeCode } from '../../../src/edits/placement.ts';

const document = `import a from 'a';

export class Quay {
  length(): number {
    if (this.berths) {
      return 1;
    }
    return 0;
  }

  name(): string {
    return 'quay';
  }
}`.split('\n');
const place = (code: string, after = 0, lines: readonly string[] = document) =>
  placeCode(lines, code.split('\n'), after);

describe('The place of code in a document', () => {
  it('is from its first line to its last, whose indentation tells it from others', () => {
    const code = 'length(): number {\n  return 2;\n}';
    assert.deepEqual(place(code), { lines: { first: 3, last: 8 }, isAfter: false });
    assert.deepEqual(place(code.replaceAll(/^/gm, '  ')), { lines: { first: 3, last: 8 }, isAfter: false });
    assert.deepEqual(place("name(): string {\n  return '';\n}"), { lines: { first: 10, last: 12 }, isAfter: false });
  });

  it('is the line itself for one line', () => {
    assert.deepEqual(place("import a from 'a';"), { lines: { first: 0, last: 0 }, isAfter: false });
  });

  it('is the whole document where most of that is in the code, and where there is nothing yet', () => {
    const whole = document.map((line) => line.replace('Quay {', 'Quay extends Place {')).slice(1);
    assert.deepEqual(place(whole.join('\n').trim()), { lines: { first: 0, last: 13 }, isAfter: false });
    assert.deepEqual(place('let a;', 0, ['', ' ']), { lines: { first: 0, last: 1 }, isAfter: false });
  });

  it('is after the cursor for code that the document does not have, which takes no line away', () => {
    assert.deepEqual(place('let b = 2;', 1), { lines: { first: 1, last: 1 }, isAfter: true });
    assert.deepEqual(place('let b = 2;', 99), { lines: { first: 13, last: 13 }, isAfter: true });
    assert.deepEqual(place('} else {\n}', 4), { lines: { first: 4, last: 4 }, isAfter: true });
  });

  it('is not guessed where the first line stands twice, or the last is not there', () => {
    const twice = ['f() {', '  a', '}', 'f() {', '  b', '}', 'g()'];
    assert.deepEqual(place('f() {\n  c\n}', 6, twice), { lines: { first: 6, last: 6 }, isAfter: true });
    assert.deepEqual(place('length(): number {\n  return 2;', 13), { lines: { first: 13, last: 13 }, isAfter: true });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSearchReplace } from '../../../../src/edits/answer/reading/searchReplace.ts';
import { splitFences } from '../../../../src/webview/shared/markdownFences.ts';

/** How often a line of an answer is read, on average. */
function readsPerLine(lines: readonly string[], read: (lines: readonly string[]) => unknown): number {
  let reads = 0;
  const counted = new Proxy(lines, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  read(counted);
  return reads / lines.length;
}

const many = (...lines: readonly string[]): string[] => Array.from({ length: 500 }, () => lines).flat();

describe('An answer is read line by line', () => {
  it('however many fences it has', () => {
    assert.equal(splitFences(many('text', '```', '```')).length, 1_000);
    assert.ok(readsPerLine(many('text', '```', '```'), splitFences) < 5);
  });

  it('however many blocks for search and replace it has, and however many have no end', () => {
    const whole = many('<<<<<<< SEARCH', 'a', '=======', 'b', '>>>>>>> REPLACE');
    assert.equal(findSearchReplace(whole).length, 500);
    for (const lines of [whole, many('<<<<<<< SEARCH', 'a'), many('<search>'), many('<search>', '<old>', '</old>')])
      assert.ok(readsPerLine(lines, findSearchReplace) < 10, lines.slice(0, 3).join(' '));
  });
});

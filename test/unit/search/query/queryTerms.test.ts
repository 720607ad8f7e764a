import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';

const wordsOf = (text: string): string[] => [...readTerms(text).words.keys()].sort();

test('a compound name is asked for by its words, however it is written', () => {
  const words = ['cooki', 'get', 'name'];
  for (const text of ['getCookieName', 'get_cookie_name', 'GetCookieName()', 'get cookie name', 'getCookie name'])
    assert.deepEqual(wordsOf(text), words, text);
  assert.deepEqual([...readTerms('where getCookieName is called').symbols], ['getCookieName']);
});

test('of a long question, some of the words and names are looked at', () => {
  const { words, symbols } = readTerms(Array.from({ length: 5_000 }, (_, at) => `readPart${at}of`).join(' '));
  assert.ok(words.size <= 40 && symbols.size <= 40, `${words.size} and ${symbols.size}`);
});

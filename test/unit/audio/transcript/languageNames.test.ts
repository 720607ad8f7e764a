import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { languageCode, languageName, spokenLanguages } from '../../../../src/audio/transcript/languageNames.ts';

describe('Languages', () => {
  test('are known by their code and by their English name, however it is written', () => {
    for (const [given, code] of [
      ['de', 'de'],
      ['German', 'de'],
      ['japanese', 'ja'],
      ['de-CH', 'de-ch'],
      ['pt_BR', 'pt-br'],
      ['Castilian', 'es'],
      ['haitian creole', 'ht'],
    ] as const)
      assert.equal(languageCode(given), code, given);
    for (const none of ['', 'auto', 'xx', 'ask', 'constructor', 'klingonese', '__proto__'])
      assert.equal(languageCode(none), undefined, none);
  });

  test('are named in the language of the user; an unknown one as it was given', () => {
    assert.equal(languageName('german', 'en'), 'German');
    assert.equal(languageName('de', 'fr'), 'allemand');
    assert.equal(languageName('klingon-like', 'en'), 'Klingon-like');
  });

  test('each that can be picked has a name', () => {
    for (const code of spokenLanguages) assert.notEqual(languageName(code, 'en').toLowerCase(), code, code);
    assert.equal(new Set(spokenLanguages).size, spokenLanguages.length);
  });
});

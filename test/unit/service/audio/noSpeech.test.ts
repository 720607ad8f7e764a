import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isNoSpeech, withoutSounds } from '../../../../src/service/audio/noSpeech.ts';

const markers = [
  ...[
    '[BLANK_AUDIO]',
    ' [BLANK_AUDIO]\n[BLANK_AUDIO]',
    '(silence)',
    '[ Silence ]',
    '(no speech)',
    '<|nospeech|>',
    '[ Pause ]',
  ],
  ...[
    '[Music]',
    '*music*',
    '♪',
    '♪♪',
    '♪ Music ♪',
    '(upbeat music playing)',
    '[Applause] [Music]',
    '[Music].',
    '[NOISE]',
  ],
  ...[
    '(Musik)',
    '(Stille)',
    '(dramatische Musik)',
    '[MUSIQUE]',
    '(applaudissements)',
    '[Música]',
    '[Música de fondo]',
    '(risos)',
  ],
  ...[
    '[Musica]',
    '[silenzio]',
    '[muziek]',
    '[muzyka]',
    '[музыка]',
    '(тишина)',
    '[Музика]',
    '[hudba]',
    '(musiikkia)',
    '[Müzik]',
  ],
  ...[
    '[音楽]',
    '【音楽】',
    '（拍手）',
    '[音乐]',
    '[背景音乐]',
    '(음악)',
    '(잔잔한 음악)',
    '[ดนตรี]',
    '[موسيقى]',
    '[מוזיקה]',
    '[संगीत]',
  ],
];

const speech = [
  ...[
    '[Anna]: hello',
    '(laughs) no',
    '*applause* Thank you.',
    '[Music] Hello.',
    '♪ La la la ♪',
    '(speaking in German)',
  ],
  ...[
    'Music',
    'Silence.',
    'the sound of music',
    '音楽',
    '[Anna]',
    '[Speaker 1]',
    '[1]',
    '(a)',
    '[door]',
    '*very*',
    '(yes)',
    '...',
    'Hello.',
  ],
];

describe('what models write where nobody speaks', () => {
  test('is told in many languages, by its brackets and its words', () => {
    assert.deepEqual(
      markers.filter((text) => !isNoSpeech(text)),
      [],
    );
    assert.ok(isNoSpeech('') && isNoSpeech(' \n'));
  });

  test('is not what somebody says, whatever brackets are in it, nor such words without brackets', () => {
    assert.deepEqual(
      speech.filter((text) => isNoSpeech(text)),
      [],
    );
  });

  test('several of them are no speech either, and with any word beside them they are', () => {
    const several = fc.array(fc.constantFrom(...markers), { minLength: 1, maxLength: 5 });
    const words = fc.constantFrom('hello', 'told', '42', 'да', '水', 'é');
    fc.assert(
      fc.property(several, words, fc.nat(5), (all, word, at) => {
        assert.ok(isNoSpeech(all.join(' ')));
        // Notes on both sides of a word are those of a song, and each other text is outside of all brackets.
        assert.ok(!isNoSpeech(all.toSpliced(at, 0, word).join(' ')));
      }),
      { numRuns: 500, seed: 13 },
    );
  });

  test('whatever comes, it is told at once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assert.equal(typeof isNoSpeech(text), 'boolean');
      }),
      { numRuns: 500, seed: 13 },
    );
    for (const hostile of ['[', '(', '♪', '*', '笑', '[笑い声', '<|', '[music'])
      assert.equal(typeof isNoSpeech(hostile.repeat(2_000 / hostile.length)), 'boolean');
  });

  test('beside speech they go where only speech is wanted, and nothing that is said goes with them', () => {
    const cases = {
      '[Music] Hello.': 'Hello.',
      'And then [applause] he left. [BLANK_AUDIO]': 'And then he left.',
      '【音楽】こんにちは': 'こんにちは',
      '<|nospeech|> Guten Abend [Musik]': 'Guten Abend',
      '(laughs) no': '(laughs) no',
      '[Anna] Hello (again).': '[Anna] Hello (again).',
      '♪ music of the night ♪ she sang': '♪ music of the night ♪ she sang',
      'That is *music*.': 'That is *music*.',
      'a  b': 'a  b',
    };
    for (const [text, speech] of Object.entries(cases)) assert.equal(withoutSounds(text), speech);
  });
});

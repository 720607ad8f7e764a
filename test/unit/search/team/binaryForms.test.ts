import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAscii } from '../../../../src/search/letters/foldLetters.ts';
import { stem } from '../../../../src/search/store/stem.ts';
import { copyPieces } from '../../../../src/search/team/postgres/wire/copyRows.ts';
import {
  halfvecBytes,
  halfvecOf,
  readHalfvec,
  writeHalfvec,
} from '../../../../src/search/team/postgres/wire/halfvec.ts';
import { askedTerms, countTerms, termQuery, textVector } from '../../../../src/search/team/postgres/wire/textVector.ts';
import { quantise } from '../../../../src/search/vectors/quantise.ts';
import { createRandom } from '../../../support/simulatedSpeech.ts';

const halfOf = (value: number): string => halfvecOf(Float32Array.of(value)).subarray(4).toString('hex');

describe('a vector in half precision', () => {
  test('is what pgvector sends', () => {
    assert.equal(halfvecOf(Float32Array.of(1, -2, 0.5)).toString('hex'), '000300003c00c0003800');
  });

  test('has the nearest number, of two as near the even one', () => {
    // https://en.wikipedia.org/wiki/Half-precision_floating-point_format#Half_precision_examples
    const cases: [number, string][] = [
      [0, '0000'],
      [-0, '8000'],
      [2 ** -24, '0001'],
      [1023 * 2 ** -24, '03ff'],
      [2 ** -14, '0400'],
      [1 / 3, '3555'],
      [0.99951171875, '3bff'],
      [1.0009765625, '3c01'],
      [65504, '7bff'],
      // Between two: below the middle, at it (up and down to the even one), above it.
      [1 + 2 ** -11 - 2 ** -20, '3c00'],
      [1 + 2 ** -11, '3c00'],
      [1 + 3 * 2 ** -11, '3c02'],
      [1 + 2 ** -11 + 2 ** -20, '3c01'],
      [2 ** -25, '0000'],
      [3 * 2 ** -25, '0002'],
      [2047.9999, '6800'],
      [2 ** -14 - 2 ** -26, '0400'],
      [1e6, '7bff'],
      [-1e6, 'fbff'],
    ];
    for (const [value, half] of cases) assert.equal(halfOf(value), half, String(value));
  });

  test('comes back from every number up to 1', () => {
    for (let half = 1; half <= 0x3c00; half += 7) {
      const bytes = Buffer.from([0, 2, 0, 0, 0x3c, 0, half >> 8, half & 0xff]);
      const read = readHalfvec(bytes);
      const again = Buffer.alloc(halfvecBytes(2));
      if (read === undefined) throw new Error(`${half}`);
      writeHalfvec(again, 0, read);
      const ratio = halfValue(again.readUInt16BE(6)) / halfValue(again.readUInt16BE(4));
      assert.ok(Math.abs(ratio - halfValue(half)) <= 1e-3, String(half));
    }
  });

  test('is none where the bytes are none', () => {
    for (const hex of [
      '',
      '0001',
      '00010000',
      '000200003c00',
      '000100003c0000',
      '00010000',
      '0000',
      '000100007c00',
      '000100007e00',
      '000100000000',
      '000100008000',
    ])
      assert.equal(readHalfvec(Buffer.from(hex, 'hex')), undefined, hex);
    assert.equal(readHalfvec(Buffer.from('000100003c00', 'hex'))?.dimensions, 1);
  });
});

function halfValue(half: number): number {
  const exponent = (half >> 10) & 31;
  const mantissa = half & 1023;
  return (
    (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15)) * (half & 0x8000 ? -1 : 1)
  );
}

test('rows for COPY have their head, their fields and their end, in pieces of any number', () => {
  const [one] = copyPieces(['aé🦊'], (rows, text) => {
    rows.row(4);
    rows.integer(-7);
    rows.null();
    rows.text(text);
    rows.bytes(Uint8Array.of(1, 2));
  });
  const head = '5047434f50590aff0d0a00' + '0000000000000000';
  const row = '0004' + '00000004fffffff9' + 'ffffffff' + '0000000761c3a9f09fa68a' + '000000020102';
  assert.equal(one?.toString('hex'), `${head}${row}ffff`);
  const long = 'x'.repeat(300_000);
  const many = [
    ...copyPieces(Array.from({ length: 20 }), (rows) => {
      rows.row(2);
      rows.text(long);
      rows.halfvec(quantise(Float32Array.of(1, 0)));
    }),
  ];
  const all = Buffer.concat(many);
  assert.ok(many.length > 10);
  assert.equal(Buffer.concat([...copyPieces([], () => undefined)]).length, 21);
  assert.equal(all.length, 19 + 20 * (2 + 4 + 300_000 + 4 + 8) + 2);
});

describe('the words of a chunk', () => {
  /** A `tsvector` in its binary form, as PostgreSQL writes it. */
  function shown(bytes: Buffer): string {
    const terms: string[] = [];
    let at = 4;
    for (let left = bytes.readInt32BE(0); left > 0; left--) {
      const end = bytes.indexOf(0, at);
      const term = bytes.toString('utf8', at, end);
      const positions: string[] = [];
      at = end + 3;
      for (let count = bytes.readUInt16BE(end + 1); count > 0; count--, at += 2) {
        const place = bytes.readUInt16BE(at);
        positions.push(`${place & 0x3fff}${['', 'C', 'B', 'A'][place >> 14]}`);
      }
      terms.push(`'${term.replaceAll("'", "''")}':${positions.join(',')}`);
    }
    assert.equal(at, bytes.length);
    return terms.join(' ');
  }

  test('have positions, the weight of their column, and their stems', () => {
    const { bytes, length } = textVector({
      path: 'gate/open.ts',
      names: 'openGate open Gate',
      body: 'the Gates opened_once',
    });
    assert.equal(length, 10);
    assert.equal(shown(bytes), "'gate':1A,6B,8 'open':2A,5B,9 'ts':3A 'openg':4B 'the':7 'onc':10");
  });

  test('are bounded: positions, words, letters', () => {
    const many = textVector({ path: '', names: '', body: 'word '.repeat(40_000) });
    assert.equal(many.length, 40_000);
    assert.equal(countTerms(shown(many.bytes), askedTerms('word')).body, 255);
    const long = 'x'.repeat(5_000);
    assert.ok(textVector({ path: '', names: '', body: long }).bytes.length < 300);
    const different = Array.from({ length: 60_000 }, (_, at) => `${'y'.repeat(150)}${at}`).join(' ');
    assert.ok(textVector({ path: '', names: '', body: different }).bytes.length < 1_048_575);
  });

  test('are those of any text, by the plain rule, however many were met before', () => {
    const pieces = [
      'open',
      'Gates',
      'ÜBER',
      'straße',
      'Σίσυφος',
      'токенов',
      '读取',
      '取',
      'e\u0301t',
      '🦊',
      '\ud83d',
      '\0',
      '_',
      '-',
      ' ',
      ' ',
    ];
    const letters = pieces.concat(
      'x'.repeat(199),
      'X'.repeat(201),
      'ü'.repeat(201),
      'I\u0307',

      '\u{1f100}',
      '7',
    );
    const random = createRandom(7);
    const someText = (): string =>
      Array.from({ length: random() * 60 }, () => letters[Math.floor(random() * letters.length)] ?? '').join('');
    for (let round = 0; round < 300; round++) {
      const columns = { path: someText(), names: someText(), body: someText() };
      // As many different words as push those from before out.
      if (round % 20 === 0) columns.body += Array.from({ length: 12_000 }, (_, at) => ` ${round}w${at}`).join('');
      const wanted = new Map<string, string[]>();
      let place = 0;
      for (const [text, weight] of [
        [columns.path, 'A'],
        [columns.names, 'B'],
        [columns.body, ''],
      ] as const) {
        for (const word of text.match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? []) {
          // Half of a letter that is cut through is no letter.
          const lower = Buffer.from(word.slice(0, 200).toLowerCase()).toString();
          const term = isAscii(lower) ? stem(lower) : lower;
          const places = wanted.get(term) ?? [];
          wanted.set(term, [...places, `${++place}${weight}`].slice(0, 255));
        }
      }
      const { bytes, length } = textVector(columns);
      assert.equal(length, place);
      assert.equal(shown(bytes), [...wanted].map(([term, places]) => `'${term}':${places.join(',')}`).join(' '));
    }
  });

  test('are counted by column, a compound name where its parts follow each other', () => {
    const vector = shown(
      textVector({ path: 'a/load_file', names: 'load_file', body: 'load file; file load; load_file' }).bytes,
    );
    assert.deepEqual(countTerms(vector, askedTerms('load_file')), { path: 1, names: 1, body: 2 });
    assert.deepEqual(countTerms(vector, askedTerms('load')), { path: 1, names: 1, body: 3 });
    assert.deepEqual(countTerms(vector, askedTerms('loa')), { path: 0, names: 0, body: 0 });
    assert.deepEqual(countTerms(vector, askedTerms('ile')), { path: 0, names: 0, body: 0 });
    assert.deepEqual(countTerms("'it''s':3 's':1", askedTerms('s')), { path: 0, names: 0, body: 1 });
    assert.deepEqual(countTerms('', askedTerms('a')), { path: 0, names: 0, body: 0 });
    assert.deepEqual(countTerms("'取配':2B '读取':1", askedTerms('取')), { path: 0, names: 1, body: 0 });
  });

  test('of a question have no operators', () => {
    const cases: [string, string][] = [
      ['gate', "'gate'"],
      ['load_file', "('load' <-> 'file')"],
      ["it's", "('it' <-> 's')"],
      ['a & b | !c', "('a' <-> 'b' <-> 'c')"],
      ['配', "'配':*"],
      ['读取', "'读取'"],
      ['\\', ''],
      ['', ''],
    ];
    for (const [word, query] of cases) {
      const asked = askedTerms(word);
      assert.equal(asked.terms.length === 0 ? '' : termQuery(asked), query, word);
    }
    assert.equal(termQuery(askedTerms('load_file'), 'AB'), "('load':AB <-> 'file':AB)");
    assert.equal(termQuery(askedTerms('配'), 'AB'), "'配':*AB");
  });
});

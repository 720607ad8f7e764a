import fc from 'fast-check';

/** JSON has many ways to write a number, and what is nearly one is none. */
const number = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.oneof(
      fc.double({ min: -2, max: 2, noNaN: true }).map(String),
      fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toPrecision(9)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toExponential()),
      // Halfway between two numbers of 32 bits, or nearly so.
      fc
        .tuple(fc.integer({ min: 1, max: 2 ** 24 }), fc.integer({ min: -30, max: 30 }))
        .map(([steps, power]) => String((steps + 0.5) * 2 ** power)),
      fc
        .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 24n), fc.integer({ min: -50, max: 50 }))
        .map(([sign, digits, power]) => `${sign}${digits}e${power}`),
      fc.tuple(fc.bigInt(0n, 10n ** 24n), fc.nat(40)).map(([digits, zeros]) => `0.${'0'.repeat(zeros)}${digits}`),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('0', '-0', '0.0', '-0e9', '1E+05', '7', '2e-0', '1e400', '1e-400') },
);
const noNumber = fc.constantFrom(
  ...['01', '+1', '.5', '1.', '1e', '-', 'NaN', '1 2', '', 'null', 'true', '"1"', '"]"', '[1]', '{"embedding":[7]}'],
);
const space = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n');

const list = fc
  .tuple(fc.array(fc.tuple(space, number, space), { maxLength: 6 }), fc.nat(20), fc.nat(), noNumber)
  .map(([numbers, rarely, where, odd]) => {
    const tokens = numbers.map((parts) => parts.join(''));
    if (rarely === 20) tokens.splice(where % (tokens.length + 1), 0, odd);
    return `[${tokens.join(',')}]`;
  });
const embedding = fc.oneof(
  { weight: 12, arbitrary: list },
  { weight: 1, arbitrary: fc.constantFrom('null', '""', '"AAAAPw=="', '7', '{}', '[[1,2]]', '"[1"', '[0]', '[ 1 ]') },
);
const name = fc.oneof(
  { weight: 10, arbitrary: fc.constant('"embedding"') },
  { weight: 1, arbitrary: fc.constantFrom('"embe\\u0064ding"', '"\\"embedding"', '"embeddings"', '"ümbedding"') },
);
const member = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, embedding) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('"index"'), fc.constantFrom('0', '1', '"0"', 'null', '1.5')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ['"object"', '"embedding"'],
      ['"note"', '"\\"embedding\\":[1,2] \\\\"'],
      ['"more"', '{"embedding":[1,2,3],"data":[{"embedding":[4]}]}'],
      ['"é😀"', '"…[\\ud83d"'],
    ),
  },
);

function objectOf(members: fc.Arbitrary<readonly (readonly [string, string])[]>): fc.Arbitrary<string> {
  return fc
    .tuple(members, fc.array(space, { minLength: 4, maxLength: 4 }))
    .map(([pairs, [a, b, c, d]]) => `{${pairs.map(([key, value]) => `${a}${key}${b}:${c}${value}${d}`).join(',')}}`);
}
const items = fc.array(objectOf(fc.array(member, { maxLength: 4 })), { maxLength: 4 });
const beside = fc.constantFrom<readonly [string, string]>(
  ['"model"', '"é"'],
  ['"usage"', '{"prompt_tokens":3,"embedding":[5]}'],
  ['"embedding"', '[1,2]'],
  ['"error"', '{"message":"no","embedding":[1]}'],
  ['"object"', '"list"'],
);
const answer = objectOf(
  fc
    .tuple(items, fc.array(beside, { maxLength: 2 }), fc.array(beside, { maxLength: 1 }))
    .map(([data, before, after]) => [...before, ['"data"', `[${data.join(',')}]`] as const, ...after]),
);

/** The text of an answer to a request for embeddings, written in any way; now and then cut off, or with something beside it. */
export const vectorText: fc.Arbitrary<string> = fc.tuple(answer, fc.nat(), fc.nat(20)).map(([text, where, rarely]) => {
  if (rarely === 0) return text.slice(0, where % text.length);
  if (rarely === 1) return `\ufeff${text}`;
  return rarely === 2 ? `${text}${text.charAt(where % text.length)}` : text;
});

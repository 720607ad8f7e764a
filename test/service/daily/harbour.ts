/** Answers about the code of the sample workspace. */
import type { Piece } from './pieces.ts';

interface Script {
  /** A line without which the code is another than the answer speaks of. */
  readonly line: string;
  readonly asks: RegExp;
  /** Whether it speaks of the files as they are, not of some lines that were selected. */
  readonly isOfFiles?: boolean;
  readonly answer: string;
}

const isDeepEnough = 'return berth.depth + tideHeight >= boat.draught + UNDER_KEEL_CLEARANCE;';

/** An answer in blocks for three files, of which one quotes a line that is not there, as models do. */
const moreWater = [
  'More water below the keel, and a word about it:',
  '',
  ...block('src/berths.ts', 'export const UNDER_KEEL_CLEARANCES = 0.5;', 'export const UNDER_KEEL_CLEARANCE = 0.7;'),
  ...block('src/mail.ts', "    'the harbour office',", "    'your harbour office',"),
  ...block('src/notices.ts', '', "export const clearanceNotice = '0.7 m of water stay below your keel.';"),
].join('\n');

function block(path: string, search: string, replace: string): string[] {
  const lines = ['<<<<<<< SEARCH', ...(search === '' ? [] : [search]), '=======', replace, '>>>>>>> REPLACE'];
  return [path, '```', ...lines, '```', ''];
}

const scripts: readonly Script[] = [
  {
    line: 'UNDER_KEEL_CLEARANCE = 0.5;',
    asks: /0\.7 m\b.*\bkeel/i,
    isOfFiles: true,
    answer: moreWater,
  },
  {
    line: isDeepEnough,
    asks: /\btests?\b/i,
    answer: [
      'Three cases: water to spare, exactly enough, and a centimetre too little.',
      '',
      '```ts src/berths.test.ts',
      "import assert from 'node:assert/strict';",
      "import { test } from 'node:test';",
      "import { isDeepEnough } from './berths.ts';",
      '',
      "const berth = { id: 'N4', length: 12, depth: 1.5 };",
      'const boat = { length: 10, draught: 1.6 };',
      '',
      "test('half a metre of water stays below the keel', () => {",
      '  assert.equal(isDeepEnough(berth, boat, 1.2), true);',
      '  assert.equal(isDeepEnough(berth, boat, 0.6), true);',
      '  assert.equal(isDeepEnough(berth, boat, 0.59), false);',
      '});',
      '```',
      '',
      'Run it with `node --test src/berths.test.ts`.',
    ].join('\n'),
  },
  {
    line: isDeepEnough,
    asks: /\bwhich\b.*\b(?:cannot|can't|not)\b/i,
    answer: [
      'Those whose **draught** is more than the water above the ground, less half a metre:',
      '',
      '| Berth | Tide | Water | Deepest draught |',
      '|---|---:|---:|---:|',
      '| 1.5 m | 0.0 m | 1.5 m | 1.0 m |',
      '| 1.5 m | 1.2 m | 2.7 m | 2.2 m |',
      '| 3.0 m | −0.4 m | 2.6 m | 2.1 m |',
      '',
      'A yacht that draws 1.8 m cannot lie at the first berth at low water.',
    ].join('\n'),
  },
  {
    line: isDeepEnough,
    asks: /\b(?:what|when|why|how|explain)\b/i,
    answer: [
      '`isDeepEnough` tells whether a boat **stays afloat** at a berth. It compares two heights:',
      '',
      '- **water above the ground**: the berth’s depth below chart datum, and the tide above it',
      '- **water the boat needs**: its draught, and `UNDER_KEEL_CLEARANCE` (0.5 m) below the keel',
      '',
      'It is `false` as soon as the second is more than the first. A berth of 1.5 m with a tide of 0.2 m has 1.7 m of water; a sloop that draws 1.3 m needs 1.8 m:',
      '',
      '```ts',
      'const n4 = { ...berth, depth: 1.5 };',
      'const sloop = { ...boat, draught: 1.3 };',
      'isDeepEnough(n4, sloop, 0.2); // false',
      'isDeepEnough(n4, sloop, 0.3); // true',
      '```',
      '',
      'Exactly enough counts as deep enough (`>=`). `findFreeBerth` asks it with the lowest tide of the stay.',
    ].join('\n'),
  },
];

/** @param shown the pieces of the conversation, the one that is meant first */
export function answerHarbour(words: string, shown: readonly Piece[]): string | undefined {
  const [first] = shown;
  if (first === undefined) return undefined;
  // Of a whole file with much in it, the question may mean anything.
  const part = first.isPart ? first : shown.find(({ path, isPart }) => isPart && path === first.path);
  const holds = (line: string, pieces: readonly (Piece | undefined)[]): boolean =>
    pieces.some((piece) => piece?.code.includes(line));
  return scripts.find(({ line, asks, isOfFiles }) => asks.test(words) && holds(line, isOfFiles ? shown : [part]))
    ?.answer;
}

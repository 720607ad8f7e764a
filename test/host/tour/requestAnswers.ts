/** What the reference service says in the steps about requests, so that their pictures show what a person would ask. */
import type { LikelyTokens, ReferenceServiceOptions } from '../../service/options.ts';
import { tokenize } from '../../service/tokens.ts';

/** The questions of the steps. */
export const questions = {
  data: 'Which berths are free tonight, and how deep are they?',
  compare: 'What is low water, in two sentences for a passenger?',
  confidence: 'When is high water tomorrow?',
  code: 'Write a function for the fee of one night.',
  replay: 'When does the ferry leave?',
} as const;

/** The schema that the answer of `data` is held against: its second depth is no number. */
export const berthSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Free berths',
  type: 'object',
  properties: {
    harbour: { type: 'string' },
    berths: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, depth: { type: 'number' }, isFree: { type: 'boolean' } },
        required: ['name', 'depth', 'isFree'],
      },
    },
  },
  required: ['harbour', 'berths'],
};

const berths = {
  harbour: 'Cuxhaven',
  berths: [
    { name: 'North quay 4', depth: 3.2, isFree: true },
    { name: 'Old pier 1', depth: 'two metres', isFree: true },
  ],
};

const highWater =
  'High water is at six in the evening, and the ferry leaves half an hour before it. Bring boots: the quay stays wet until nine.';
const fee = [
  'By length, with a least fee:',
  '',
  '```ts',
  'export function feeOfNight(length: number): number {',
  '  const perMetre = 2.5;',
  '  return Math.max(12, length * perMetre);',
  '}',
  '```',
].join('\n');

const lowWater: Readonly<Record<string, string>> = {
  'parley-chat':
    'Low water is the **lowest level** that the sea reaches between two tides. It comes about every twelve and a half hours, so the gangway is steep twice a day.',
  'parley-chat-large':
    'Twice a day the sea falls to its lowest level: that is **low water**. Your ferry then lies deeper at the quay, and the gangway is at its steepest.',
  'parley-chat-small': 'The sea is low. Then it rises again.',
};

const answers: Readonly<Record<string, string>> = {
  [questions.data]: JSON.stringify(berths),
  [questions.confidence]: highWater,
  [questions.code]: fee,
  [questions.replay]: 'The ferry leaves from the north quay at six',
};

/** Tokens that the model was not sure of; of all others it was. */
const unsure: LikelyTokens = {
  ' six': { ' six': 34, ' seven': 31, ' five': 18, ' eight': 7 },
  ' evening': { ' evening': 61, ' morning': 36 },
  ' half': { ' half': 48, ' an': 27, ' one': 11 },
  ' boots': { ' boots': 22, ' a': 20, ' your': 17, ' warm': 9 },
  ' wet': { ' wet': 82, ' slippery': 11 },
  ' nine': { ' nine': 26, ' ten': 24, ' then': 16, ' eight': 12 },
  '12': { '12': 28, '10': 26, '15': 17, '0': 9 },
  ' 2': { ' 2': 44, ' 3': 21, ' 1': 15 },
};

const sure = [highWater, fee].flatMap(tokenize).map((token) => [token, { [token]: 97 }] as const);

/** The service of these steps: it knows the answers, tells its tokens, and has rate limits. */
export const requestService: ReferenceServiceOptions = {
  answer(asked, model) {
    // The file that is open goes along.
    const [question = ''] = asked.split('\n\nFrom ');
    return answers[question] ?? (question === questions.compare ? lowWater[model] : undefined);
  },
  likely: { ...Object.fromEntries(sure), ...unsure },
  listed: [{ id: 'parley-chat-small' }],
  tokenizer: 'vllm',
  headers: {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '57',
    'x-ratelimit-reset-requests': '3s',
    'x-ratelimit-limit-tokens': '150000',
    'x-ratelimit-remaining-tokens': '149210',
    'x-ratelimit-reset-tokens': '1s',
  },
};

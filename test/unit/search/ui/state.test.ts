import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { Status } from '../../../../src/search/engine/engineApi.ts';
import { countedOn, type State, type StateFacts, stateOf } from '../../../../src/search/ui/shared/state.ts';
import { contentsText, halfText, leftOutText, shortStateText, stateText } from '../../../support/vscodeStub.ts';

const now = 1_000;
const idle: StateFacts = { phase: { kind: 'idle' }, status: undefined, paused: undefined, waitUntil: undefined };
const status = (filesDone: number | undefined): Status => ({
  coverage: { lines: 0, covered: 0 },
  indexed: { files: 10, chunks: 40, tokens: 4_000 },
  filesDone,
  excluded: {},
});
const embedding: StateFacts = {
  ...idle,
  phase: { kind: 'embedding', progress: { phase: 'embedding', chunks: 5, ofChunks: 40 } },
};

test('a run goes from listing over reading and the question to embedding', () => {
  const states = [
    stateOf({ ...idle, phase: { kind: 'reading' } }, now),
    stateOf({ ...idle, phase: { kind: 'reading', progress: { phase: 'reading', files: 0, ofFiles: 0 } } }, now),
    stateOf({ ...idle, phase: { kind: 'reading', progress: { phase: 'reading', files: 3, ofFiles: 10 } } }, now),
    stateOf({ ...idle, phase: { kind: 'consent' } }, now),
    stateOf(embedding, now),
  ];
  assert.deepEqual(states, [
    { kind: 'listing' },
    { kind: 'listing' },
    { kind: 'reading', done: 3, of: 10 },
    { kind: 'consent' },
    { kind: 'embedding', done: 5, of: 40 },
  ]);
});

test('a wait is shown while chunks are sent, and until it is over', () => {
  assert.deepEqual(stateOf({ ...embedding, waitUntil: 2_000 }, now), {
    kind: 'waiting',
    until: 2_000,
    done: 5,
    of: 40,
  });
  assert.equal(stateOf({ ...embedding, waitUntil: 2_000 }, 2_000).kind, 'embedding');
  assert.equal(stateOf({ ...idle, status: status(10), waitUntil: 2_000 }, now).kind, 'ready');
});

test('an index that was deleted is said to be gone, until there is one again', () => {
  assert.deepEqual(stateOf({ ...idle, isDeleted: true }, now), { kind: 'deleted' });
  assert.deepEqual(stateOf({ ...idle, isDeleted: true, status: status(undefined) }, now), { kind: 'words', files: 10 });
  assert.deepEqual(stateOf({ ...idle, phase: { kind: 'updating', files: 30 } }, now), { kind: 'updating', files: 30 });
});

test('a run that goes on counts on; one that has more to send, and one from the beginning, count what they have', () => {
  const progress = { phase: 'embedding', chunks: 5, ofChunks: 40 } as const;
  assert.deepEqual(countedOn(progress, 100), { phase: 'embedding', chunks: 65, ofChunks: 100 });
  assert.deepEqual(countedOn(progress, 0), progress);
  assert.deepEqual(countedOn(progress, 30), progress);
  const reading = { phase: 'reading', files: 1, ofFiles: 2 } as const;
  assert.deepEqual(countedOn(reading, 100), reading);
});

test('a pause is shown at once, and stays when the run has ended', () => {
  assert.deepEqual(stateOf({ ...embedding, paused: 'user', waitUntil: 2_000 }, now), {
    kind: 'paused',
    by: 'user',
    done: 5,
    of: 40,
  });
  assert.deepEqual(stateOf({ ...idle, status: status(4), paused: 'budget' }, now), {
    kind: 'paused',
    by: 'budget',
    done: 4,
    of: 10,
  });
});

test('an idle index is unused, found by words alone, behind, or ready', () => {
  assert.deepEqual(stateOf(idle, now), { kind: 'unused' });
  assert.deepEqual(stateOf({ ...idle, status: status(undefined) }, now), { kind: 'words', files: 10 });
  assert.deepEqual(stateOf({ ...idle, status: status(9) }, now), { kind: 'stale', done: 9, of: 10 });
  assert.deepEqual(stateOf({ ...idle, status: status(10) }, now), { kind: 'ready', files: 10 });
});

test('before first use the state is that of the index on the disk', () => {
  const peeked = { files: 10, chunks: 40, embedded: 40, filesDone: 10 };
  assert.deepEqual(stateOf({ ...idle, peeked }, now), { kind: 'ready', files: 10 });
  assert.deepEqual(stateOf({ ...idle, peeked: { ...peeked, filesDone: 4 } }, now), { kind: 'stale', done: 4, of: 10 });
  assert.deepEqual(stateOf({ ...idle, peeked: { ...peeked, filesDone: undefined } }, now), {
    kind: 'words',
    files: 10,
  });
  assert.deepEqual(stateOf({ ...idle, peeked, status: status(9) }, now).kind, 'stale', 'what is asked of it is newer');
});

test('an index that is whole is not paused', () => {
  assert.deepEqual(stateOf({ ...idle, status: status(10), paused: 'user' }, now), { kind: 'ready', files: 10 });
});

test('a wait for a connection says what went wrong and when it is tried again', () => {
  const error = new ServiceError('reset', { url: 'https://model.test/v1' });
  const until = new Date(2026, 10, 21, 14, 3, 5).getTime();
  const state = stateOf({ ...embedding, waitUntil: until, waitFor: error }, until - 1);
  const said = stateText({ state, status: status(4) } as Parameters<typeof stateText>[0])?.replace(/\u202f/g, ' ');
  assert.equal(said, 'The connection to model.test broke. Trying again at 2:03:05 PM; 5 of 40 chunks are in');
});

test('one of a thing is said as one', () => {
  const one: Status = { ...status(1), indexed: { files: 1, chunks: 1, tokens: 1 }, coverage: { lines: 1, covered: 1 } };
  const states: State[] = [
    { kind: 'reading', done: 0, of: 1 },
    { kind: 'embedding', done: 0, of: 1 },
    { kind: 'waiting', until: now, done: 0, of: 1 },
    { kind: 'words', files: 1 },
    { kind: 'stale', done: 0, of: 1 },
    { kind: 'ready', files: 1 },
  ];
  const index = (state: State) => ({ state, status: one }) as Parameters<typeof stateText>[0];
  const said = [
    ...states.flatMap((state) => [stateText(index(state)), shortStateText(state)]),
    leftOutText({ binary: 1, symlink: 1, unreadable: 1, 'secret-path': 1, 'too-large': 1, setting: 1, 'lock-file': 1 }),
    contentsText({
      pending: [{ root: '/r', path: 'a.ts', chunks: 1, tokens: 1 }],
      known: [{ root: '/r', path: 'c.ts', chunks: 1 }],
      excluded: [{ root: '/r', path: 'b', reason: 'binary' }],
      refused: [],
    }),
  ].join('\n');
  assert.doesNotMatch(said, /\b1 (files|chunks|tokens|lines)\b|\b1 file (that are|that have|with keys)\b/);
  assert.match(said, /1 file that is not text\n1 file that is a link\n1 file that cannot be read/);
});

test('what would be sent is listed with its folder where there are several, and apart from what needs no request', () => {
  const contents: Parameters<typeof contentsText>[0] = {
    pending: [{ root: '/w/one', path: 'a.ts', chunks: 2, tokens: 90 }],
    known: [{ root: '/w/two', path: 'a.ts', chunks: 3 }],
    excluded: [{ root: '/w/two', path: 'b', reason: 'binary' }],
    refused: [],
  };
  const folders = ['one', 'two'].map((name) => ({ root: `/w/${name}`, name }));
  assert.equal(
    contentsText(contents, folders),
    [
      'Would be sent\n\none/a.ts · 2 chunks, about 90 tokens',
      'Needs no request: the embeddings are on this machine\n\ntwo/a.ts · 3 chunks',
      'Left out, besides what git ignores\n\n1 file that is not text\n  two/b\n',
    ].join('\n\n'),
  );
  const alone = contentsText(contents, folders.slice(0, 1));
  assert.match(alone, /^a\.ts · 2 chunks/m);
  assert.doesNotMatch(contentsText({ ...contents, known: [] }, folders), /Needs no request/);
});

test('a failure is shown with its error until something else happens', () => {
  const error = new Error('gone');
  assert.deepEqual(stateOf({ ...idle, status: status(4), phase: { kind: 'failed', error } }, now), {
    kind: 'failed',
    error,
  });
});

test('each state has its words, short in the status bar and whole in its tooltip', () => {
  const until = new Date(2026, 10, 21, 14, 3, 5).getTime();
  const chunks = { done: 120, of: 4_000 };
  const files = { done: 9, of: 10 };
  const error = new ServiceError('auth', { url: 'https://model.test/v1' });
  const held: Status = { ...status(9), coverage: { lines: 412_300, covered: 412_300 } };
  const said: [State, string | undefined, string | undefined][] = [
    [{ kind: 'unused' }, undefined, undefined],
    [{ kind: 'deleted' }, 'Not indexed', 'The workspace is not indexed'],
    [{ kind: 'listing' }, 'Listing files', 'Listing files…'],
    [
      { kind: 'updating', files: 412 },
      'Updating 412 files',
      'The index is being brought up to date: 412 files changed',
    ],
    [{ kind: 'reading', ...files }, 'Reading 9 of 10', 'Reading 9 of 10 files'],
    [{ kind: 'consent' }, 'Index the workspace?', 'Waiting for your answer before anything is sent'],
    [{ kind: 'embedding', ...chunks }, 'Indexing 120 of 4,000', 'Indexing: 120 of 4,000 chunks'],
    [
      { kind: 'waiting', until, ...chunks },
      'Indexing waits until 2:03:05 PM',
      'The service asks to wait until 2:03:05 PM; 120 of 4,000 chunks are in',
    ],
    [{ kind: 'paused', by: 'user', ...chunks }, 'Indexing paused', 'Indexing is paused · 120 of 4,000 are in'],
    [
      { kind: 'paused', by: 'budget', ...chunks },
      'Indexing paused until tomorrow',
      'Indexing is paused: the daily token budget is spent. It goes on tomorrow · 120 of 4,000 are in',
    ],
    [{ kind: 'failed', error }, 'Indexing failed', 'The last update failed: model.test did not accept the API key.'],
    [{ kind: 'words', files: 10 }, 'Keywords only', 'Keywords only · 100 % of 412,300 lines in 10 files'],
    [{ kind: 'stale', ...files }, 'Indexed 90%', '9 of 10 files by meaning · 100 % of 412,300 lines in 10 files'],
    [{ kind: 'ready', files: 10 }, '10 files', 'Indexed 100 % of 412,300 lines in 10 files'],
  ];
  for (const [state, short, whole] of said) {
    // The icon stands before the words; a clock's space before AM and PM is a narrow one.
    const words = (text: string | undefined): string | undefined =>
      text?.replace(/^\$\(\w[\w-]*\) /, '').replace(/\u202f/g, ' ');
    const index = { state, status: held } as Parameters<typeof stateText>[0];
    assert.deepEqual([words(shortStateText(state)), words(stateText(index))], [short, whole], state.kind);
  }
});

test('an answer says what the team’s index had to do with it', () => {
  const hits = { hits: 3 };
  const gone = { hits: 0, problem: 'unreachable' } as const;
  const said: [Parameters<typeof halfText>[0], string | undefined][] = [
    [{ by: 'both' }, undefined],
    [{ by: 'both', indexed: 0.126 }, '12 % indexed by meaning'],
    [{ by: 'both', indexed: 0.126, team: hits }, '12 % indexed here, the rest by the team index'],
    [{ by: 'both', indexed: 0.126, team: { hits: 0 } }, '12 % indexed by meaning'],
    [{ by: 'both', indexed: 0.126, team: gone }, '12 % indexed by meaning, team index not reached'],
    [
      { by: 'both', indexed: 0.126, team: { ...gone, ...hits } },
      '12 % indexed here, the rest by the team index in part',
    ],
    [{ by: 'keywords', team: gone }, 'by words, team index not reached'],
    [{ by: 'keywords', team: { hits: 0 } }, undefined],
    [{ by: 'failed', team: gone }, 'by keywords, the service did not answer'],
  ];
  for (const [half, text] of said) assert.equal(halfText(half), text, JSON.stringify(half));
});

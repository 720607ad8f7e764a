import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../../src/search/protocol.ts';
import { type Facts, stateOf } from '../../src/search/state.ts';

const now = 1_000;
const idle: Facts = { phase: { kind: 'idle' }, status: undefined, paused: undefined, waitUntil: undefined };
const status = (filesDone: number | undefined): Status => ({
  coverage: { lines: 0, covered: 0 },
  indexed: { files: 10, chunks: 40, tokens: 4_000 },
  filesDone,
  excluded: {},
});
const embedding: Facts = {
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

test('a failure is shown with its error until something else happens', () => {
  const error = new Error('gone');
  assert.deepEqual(stateOf({ ...idle, status: status(4), phase: { kind: 'failed', error } }, now), {
    kind: 'failed',
    error,
  });
});

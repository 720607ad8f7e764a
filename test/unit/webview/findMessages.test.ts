import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findMessages, nextMessage } from '../../../src/webview/chat/find/findMessages.ts';
import { answer, question } from '../../ui/samples.ts';

it('messages with a text are found whatever its case, and none for an empty one', () => {
  const messages = [question('q', 'Where is the Needle?'), answer('a', 'Here.'), question('r', 'a needle')];
  assert.deepEqual(findMessages(messages, 'needLE'), [0, 2]);
  assert.deepEqual(findMessages(messages, ''), []);
  assert.deepEqual(findMessages(messages, 'haystack'), []);
});

it('the next message is the nearest in the direction, and around at the end', () => {
  const found = [2, 5, 9];
  assert.deepEqual(
    [-1, 2, 4, 9].map((from) => nextMessage(found, from, 1)),
    [2, 5, 5, 2],
  );
  assert.deepEqual(
    [-1, 2, 4, 9].map((from) => nextMessage(found, from, -1)),
    [9, 9, 2, 5],
  );
  assert.equal(nextMessage([], 3, 1), undefined);
});

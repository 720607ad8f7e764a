import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecodedSounds } from '../../../../src/audio/ui/transcript/panel/decodedSounds.ts';

test('what pages have decoded is kept for the next page, of the recordings that were decoded last', () => {
  const sounds = createDecodedSounds();
  assert.equal(sounds.get('a'), undefined);
  for (let i = 0; i < 50; i++) sounds.add(`${i}`, [i]);
  sounds.add('0', [0.5]);
  sounds.add('new', [1]);
  assert.deepEqual(
    [sounds.get('0'), sounds.get('1'), sounds.get('2'), sounds.get('new')],
    [[0.5], undefined, [2], [1]],
  );
});

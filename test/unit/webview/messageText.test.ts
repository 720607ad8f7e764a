import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMessageTexts } from '../../../src/webview/chat/find/messageText.ts';
import { nextMessage } from '../../../src/webview/chat/find/nextMessage.ts';
import { createMarkdown } from '../../../src/webview/markdown/markdown.ts';
import { answer, question } from '../../ui/samples.ts';

describe('what is read of a message', () => {
  const texts = createMessageTexts(createMarkdown(() => ''));
  let count = 0;
  const read = (text: string): string => texts.read(answer(`a${count++}`, text));

  it('has words that follow each other, whatever is bold, code, a link or an entity among them', () => {
    assert.equal(read('Take the **fast** path'), 'take the fast path');
    assert.equal(read('Call `run()` at *once*'), 'call run() at once');
    assert.equal(read('See [the guide](https://example.com/secret) first'), 'see the guide first');
    assert.equal(read('if a &lt; b'), 'if a < b');
    assert.equal(read('two\nlines  here'), 'two lines here');
  });

  it('has no words that are not shown: addresses, names of definitions, languages of code', () => {
    assert.doesNotMatch(read('[x][ref]\n\n[ref]: https://example.com/hidden'), /hidden/);
    assert.doesNotMatch(read('```typescript\nrun();\n```'), /typescript/);
  });

  it('has a line for each paragraph, cell and block of code, whose own lines follow each other', () => {
    assert.equal(read('one\n\ntwo'), 'one\ntwo');
    assert.equal(read('| a | b |\n|---|---|\n| c | d |'), 'a\nb\nc\nd');
    assert.equal(read('```\nlet a;\n  let b;\n```'), 'let a; let b;');
  });

  it('is that of a question as it was typed, and is read anew once there is more of it', () => {
    assert.equal(texts.read(question('q', 'Where is **the** Needle?')), 'where is **the** needle?');
    assert.equal(texts.read(answer('grows', 'One')), 'one');
    assert.equal(texts.read(answer('grows', 'One two')), 'one two');
  });
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parsePrompt, promptName } from '../../../../src/chat/prompts/promptFile.ts';

const parse = (text: string) => {
  const { description, template } = parsePrompt('p', text);
  return [description, template];
};

describe('The file of a prompt', () => {
  it('has a name that is typed as one word', () => {
    for (const [file, name] of [
      ['review.md', 'review'],
      ['Code Review.MD', 'Code-Review'],
      ['prüfe (alles).md', 'prüfe-alles'],
      ['v1.2.md', 'v1.2'],
      ['.hidden.md', 'hidden'],
      ['a\u202Eb.md', 'a-b'],
      ['review.txt', undefined],
      ['.md', undefined],
      ['!!.md', undefined],
      [`${'x'.repeat(65)}.md`, undefined],
    ] as const) {
      assert.equal(promptName(file), name, file);
    }
  });

  it('is its text, with a description in front matter where it has some', () => {
    assert.deepEqual(parse('Review this.\n'), ['', 'Review this.']);
    assert.deepEqual(parse('---\ndescription: Looks for races\n---\n\nReview this.'), [
      'Looks for races',
      'Review this.',
    ]);
    assert.deepEqual(parse('---\r\nmode: ask\r\nDescription:  "Quoted: yes"  \r\n---\r\nReview'), [
      'Quoted: yes',
      'Review',
    ]);
    assert.deepEqual(parse("\uFEFF---\ndescription: 'a'\n---\nb"), ['a', 'b']);
    assert.deepEqual(parse('---\ndescription:\n---\n'), ['', '']);
  });

  it('keeps what is no front matter: a rule, one that does not end, one of many lines', () => {
    for (const text of ['---\n\nnot: matter', `---\n${'line\n'.repeat(60)}---\ntext`, 'text\n---\ndescription: x\n---'])
      assert.deepEqual(parse(text), ['', text]);
  });

  it('cuts a description that is too long', () => {
    assert.equal(parse(`---\ndescription: ${'x'.repeat(1000)}\n---\n`)[0]?.length, 200);
  });

  it('is read whatever is in it, and loses nothing of a text without front matter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        assert.equal(parse(`text ${text}`)[1], `text ${text}`.replace(/\r\n?/g, '\n').trim());
        parse(`---\n${text}\n---\n${text}`);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import createMarkdownIt from 'markdown-it';
import { fenced } from '../../../src/base/codeFence.ts';

describe('A code fence', () => {
  it('is longer than any run of backticks in the code', () => {
    assert.equal(fenced('a ````` b', ''), '``````\na ````` b\n``````');
    assert.equal(fenced('` '.repeat(200_000), 'md').slice(0, 5), '```md');
  });

  it('holds any code, and nothing inside can close it', () => {
    const markdown = createMarkdownIt();
    const codeText = fc.array(fc.constantFrom('`', '```', '````js', '\n', 'a', '~~~', ' '), { maxLength: 30 });
    fc.assert(
      fc.property(codeText, (parts) => {
        const code = parts.join('');
        const tokens = markdown.parse(`${fenced(code, 'js')}\nafter`, {});
        assert.deepEqual(
          tokens.map((token) => token.type),
          ['fence', 'paragraph_open', 'inline', 'paragraph_close'],
        );
        assert.equal(tokens[0]?.content, `${code}\n`);
      }),
    );
  });
});

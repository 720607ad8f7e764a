import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { proseMarkdown } from '../../../src/editor/text/proseMarkdown.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });
const html = (text: string): string => markdown.render(proseMarkdown(text));
const all = (tokens: readonly Token[]): Token[] => tokens.flatMap((each) => [each, ...all(each.children ?? [])]);
const allowed = new Set(
  'paragraph text code_inline fence strong bullet_list ordered_list list_item hardbreak softbreak inline text_special'.split(
    ' ',
  ),
);

describe('A model’s words as Markdown', () => {
  it('have code, bold words and lists', () => {
    assert.equal(html('Call `a_b(*x)` **now**.'), '<p>Call <code>a_b(*x)</code> <strong>now</strong>.</p>\n');
    assert.equal(html('``a ` b``'), '<p><code>a ` b</code></p>\n');
    assert.equal(html('```ts\nconst a = `b`;\n```'), '<pre><code>const a = `b`;\n</code></pre>\n');
    assert.match(html('Either:\n- `one`\n- two'), /<ul>\n<li><code>one<\/code><\/li>\n<li>two<\/li>\n<\/ul>/);
    assert.match(html('First\nsecond'), /First<br>\nsecond/);
  });

  it('are only text else', () => {
    for (const text of [
      '[a](command:x)',
      '![x](https://evil.test/x.png)',
      '<img src=x>',
      'https://evil.test',
      'me@evil.test',
      '# Heading',
      '> quote',
      '---',
      '| a | b |\n|---|---|',
      'lone ` tick and a ** star',
      '~~gone~~ _lean_ *lean*',
      '[a]: https://evil.test\n[a]',
      '    four blanks',
      'a\n    - ',
      'a\n  =',
      ' \t 1. ',
    ]) {
      const shown = html(text);
      assert.doesNotMatch(shown, /<(?!\/?(?:p|br)\b)/, text);
      const read = shown
        .replace(/<[^>]+>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('\u2060', '');
      assert.equal(read.replace(/\s+/g, ' ').trim(), text.replace(/\s+/g, ' ').trim());
    }
  });

  it('come to nothing but these, whatever they are', () => {
    const piece = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '**',
        '*',
        '_',
        '[a]',
        '(b)',
        '![',
        '](',
        '<',
        '>',
        '<a>',
        '\n',
        '\n\n',
        '    ',
        '- ',
        '1. ',
        '#',
        '~~~',
        '\\',
        '$(x)',
        'https://x.y',
        'www.x.y',
        '&lt;',
        '|',
        ' ',
        'word',
        '\u202e',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const made = proseMarkdown(pieces.join(''));
        for (const { type } of all(markdown.parse(made, {})))
          assert.ok(allowed.has(type.replace(/_(?:open|close)$/, '')), `${type} of ${JSON.stringify(made)}`);
      }),
      { numRuns: 3000 },
    );
  });
});

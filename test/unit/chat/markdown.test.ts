import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBlockSplitter } from '../../../src/webview/markdown/blocks.ts';
import { createMarkdown } from '../../../src/webview/markdown/markdown.ts';
import { lateDefinitions } from '../../../src/webview/markdown/rules/lateDefinitions.ts';
import { assertGrowsNoFaster } from '../../support/growth.ts';

const markdown = createMarkdown((label) => `Image: ${label}`);
const line = fc.constantFrom(
  ...[
    '',
    '',
    'text',
    '# Heading',
    '- item',
    '  more',
    '1. one',
    '2. two',
    '```js',
    '```',
    '> quote',
    '| a | b |',
    '|---|---|',
  ],
  ...['$$', '$$ a', '$$b$$', '\\[', '\\]', '+ x', '[^1]: note', 'see [^1]', '- [ ] task', '> $$'],
  ...['    code', '---', '~~~', '* star', 'a [link](https://example.com)', '$', '\t', '<b>html</b>'],
);
const document = fc.array(line, { maxLength: 25 }).map((lines) => lines.join('\n'));

/** Feeds a text in pieces, as it streams, and gives the blocks that were drawn. */
function stream(text: string, cuts: readonly number[]): string[] {
  const splitter = createBlockSplitter(markdown);
  const blocks: string[] = [];
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  let open = '';
  for (const end of ends) {
    const step = splitter.split(text.slice(0, end), false);
    blocks.push(...step.closed);
    open = step.open;
  }
  return [...blocks, open];
}

describe('Markdown that streams', () => {
  it('is drawn the same in blocks as in one piece, however it is cut', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const blocks = stream(text, cuts);
        assert.equal(blocks.join(''), text);
        assert.equal(blocks.map((block) => markdown.render(block)).join(''), markdown.render(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('closes a block once the next has begun, and keeps the last one open', () => {
    const splitter = createBlockSplitter(markdown);
    assert.deepEqual(splitter.split('One.\n\nTwo', false), { closed: [], open: 'One.\n\nTwo' });
    assert.deepEqual(splitter.split('One.\n\nTwo.\n', false), { closed: ['One.\n\n'], open: 'Two.\n' });
  });
});

describe('Markdown of a model', () => {
  for (const [what, source] of [
    ['a script', '<script>alert(1)</script>'],
    ['an event handler', '<img src=x onerror=alert(1)>'],
    ['a javascript link', '[x](javascript:alert(1))'],
    ['a command link', '[x](command:workbench.action.quit)'],
    ['a data link', '[x](data:text/html,<script>alert(1)</script>)'],
    ['a remote image', '![x](https://example.com/p.png)'],
    ['a data image', '![x](data:image/png;base64,AAAA)'],
    ['a file link', '[x](file:///etc/passwd)'],
    ['an image in a reference', '![x][y]\n\n[y]: https://example.com/p.png'],
    ['a fence with a hostile name', '```"><img src=x onerror=alert(1)>\ncode\n```'],
  ] as const) {
    it(`turns ${what} into text`, () => {
      const html = markdown.render(source);
      assert.doesNotMatch(html, /<(script|img|iframe|object|svg|style)/i);
      assert.doesNotMatch(html, /<[^>]*\s(href|src|on\w+)=/i);
      assert.doesNotMatch(html, /data-href="(?!https?:)/i);
    });
  }

  it('keeps the words and the address of an image', () => {
    assert.match(
      markdown.render('![a cat](https://example.com/cat.png)'),
      /Image: a cat https:\/\/example\.com\/cat\.png/,
    );
  });

  it('aligns table columns by class, because the page forbids inline styles', () => {
    const html = markdown.render('| a |\n|--:|\n| 1 |');
    assert.match(html, /<td class="align-right">/);
    assert.doesNotMatch(html, /style=/);
  });
});

describe('Markdown of models', () => {
  /** The formulas of a text. */
  const formulas = (text: string): string[] =>
    [...markdown.render(text).matchAll(/<(span|div) class="math(?: block)?">([\s\S]*?)<\/\1>/g)].map(
      ([, , tex]) => tex ?? '',
    );

  it('has formulas between dollars and escaped brackets, in a line and alone', () => {
    assert.deepEqual(formulas('So $x^2$, \\(y\\), $$z$$ and \\[w\\], the $n$th.'), [
      '$x^2$',
      '\\(y\\)',
      '$$z$$',
      '\\[w\\]',
      '$n$',
    ]);
    assert.deepEqual(formulas('Text\n$$\na\n- b\n$$\n1. item\n\n   \\[\n   c\n   \\]'), [
      '$$\na\n- b\n$$',
      '\\[\nc\n\\]',
    ]);
  });

  for (const text of [
    ...[
      'It costs $5 and $10.',
      'From $5-$7 to US$8 or 9$',
      '$5 each, that is 10$',
      'a $ b $ c',
      '$',
      '$$',
      '$$$$',
      '\\(\\)',
    ],
    ...['PATH=$HOME/bin:$PATH', '$a->b($c)', '`$x$` and ``$$y$$``', '$5 `x$` y', '\\$x\\$', '$x', '$$\nx\n\n$$'],
    ...['```\n$$\nx\n$$\n```', '    $x$'],
    ...[
      'Set \x24{HOME}/\x24{USER} or $(pwd)/$(date).',
      '$HOME/\x24{USER}',
      '$HOME:$(go env GOPATH)',
      'from \x24{a} to \x24{b}',
    ],
    ...['rates of $0.15/$0.60', '$3/$15', '$1.2M/$2M', '$5–$10', 'A$20/B$30', '$50/mo, $500/yr', '$a$b'],
  ]) {
    it(`has no formula in ${JSON.stringify(text)}`, () => assert.deepEqual(formulas(text), []));
  }

  it('has no formula in variables and commands of a shell', () => {
    assert.deepEqual(formulas('Set it to \x24{HOME}/\x24{USER} or run $(pwd)/$(date), not $HOME/$USER.'), []);
  });

  it('has formulas that begin with a bracket, and others beside punctuation', () => {
    assert.deepEqual(formulas('\x24{x}/{y}$, $(a+b)/c$; $x$-axis ($y$) and $n$(count)'), [
      '\x24{x}/{y}$',
      '$(a+b)/c$',
      '$x$',
      '$y$',
      '$n$',
    ]);
  });

  it('has bold, italic and struck text beside the punctuation of Chinese, Japanese and Korean', () => {
    const drawn: [text: string, html: string][] = [
      ['**注意：**正文', '<strong>注意：</strong>正文'],
      ['含**「重点」**内容', '含<strong>「重点」</strong>内容'],
      ['~~（带括号）。~~这个', '<s>（带括号）。</s>这个'],
      ['*（强调）*文字', '<em>（强调）</em>文字'],
      ['**これは「重要」。**次', '<strong>これは「重要」。</strong>次'],
      ['**중요(필독):**본문', '<strong>중요(필독):</strong>본문'],
    ];
    for (const [text, html] of drawn) assert.equal(markdown.render(text), `<p>${html}</p>\n`);
  });

  it('has none in names, products and code', () => {
    for (const text of ['snake_case_name', '2 * 3 * 4', '变量_名字_甲', '5 * 3 和 4 * 2', 'a ** b ** c'])
      assert.equal(markdown.render(text), `<p>${text}</p>\n`);
    assert.equal(markdown.render('`**注意：**正文`'), '<p><code>**注意：**正文</code></p>\n');
  });

  it('has links to files in every form of a name', () => {
    const targets = [
      ...['folder/Stored Procedures/f.sql', 'folder/Stored%20Procedures/f.sql', '<folder/Stored Procedures/f.sql>'],
      ...[
        'src/app/(group)/page.tsx',
        'src/[id]/page.tsx',
        './src/größe.ts:3',
        'src/工具.ts',
        'C:\\p\\a.ts',
        'src\\a.ts',
      ],
      ...['file:///p/a.ts', '/home/u/a.ts', 'Dockerfile', '.env', 'a.ts#L3C5', 'a.ts(3,5)', 'a.ts:12:80', 'a.ts:3-5'],
    ];
    for (const target of targets)
      assert.match(
        markdown.render(`See [it](${target}).`),
        /^<p>See <span data-file="[^"]+">it<\/span>\.<\/p>/,
        target,
      );
  });

  it('has links to the web, and text that is no link, as they are', () => {
    assert.match(markdown.render('[x](https://example.com/a b)'), /\[x\]\(/);
    assert.match(markdown.render('[x](https://example.com/a.ts)'), /data-href="https:\/\/example\.com\/a\.ts"/);
    assert.equal(markdown.render('`[x](my dir/a.ts)` a[0] (x)'), '<p><code>[x](my dir/a.ts)</code> a[0] (x)</p>\n');
  });

  it('has line breaks in cells of tables, and no other HTML', () => {
    const cells = (text: string): string[] =>
      [...markdown.render(`| a |\n|---|\n| ${text} |`).matchAll(/<td>([\s\S]*?)<\/td>/g)].map(([, cell]) => cell ?? '');
    assert.deepEqual(cells('x<br>y<br/>**z**<BR />w'), ['x<br>\ny<br>\n<strong>z</strong><br>\nw']);
    assert.deepEqual(cells('`<br>` <b>x</b>'), ['<code>&lt;br&gt;</code> &lt;b&gt;x&lt;/b&gt;']);
    assert.equal(markdown.render('x<br>y'), '<p>x&lt;br&gt;y</p>\n');
  });

  it('takes a few thousand marks without a partner in its stride', () => {
    for (const mark of ['$', '$$', '\\(', '\\[', '$x ', '\\[\n', '$$\n', '$$ a\n', '[^a]: ', '[^a]:\n']) {
      const text = mark.repeat(60_000 / mark.length);
      assert.equal(markdown.render(`${text}\n\nend`).endsWith('end</p>\n'), true, mark);
    }
  });

  it('has tasks in lists, and brackets elsewhere', () => {
    const marks = (text: string): number => markdown.render(text).split('data-task').length - 1;
    assert.equal(marks('- [ ] a\n- [x] b\n  1. [X] c\n\n* [ ] **d**'), 4);
    assert.equal(marks('[ ] a\n\n- []\n- [y] b\n- [x](c)\n- `[x] d`\n- [x]'), 0);
  });

  it('has footnotes where they are written, with all that is indented below them', () => {
    const notes = (text: string): string[] =>
      [...markdown.render(text).matchAll(/data-note="([^"]*)"/g)].map(([, name]) => name ?? '');
    assert.deepEqual(notes('a[^1] b[^x]\n\n[^1]: one\nstill one\n[^x]: two\n\n    more\n\nend'), ['1', 'x']);
    assert.match(markdown.render('[^x]: two\n\n    more\n\nend'), /more<\/p>\n<\/div><p>end/);
    assert.deepEqual(notes('[^a b]: no\n\n[^]: no\n\n`[^1]: no`\n\n    [^1]: no'), []);
  });
});

describe('Definitions of links', () => {
  it('are late where they stand behind their use', () => {
    assert.equal(
      lateDefinitions('See [the docs][1] and [a].\n\n[1]: https://example.com\n[A]: src/a.ts\n'),
      '[1]: https://example.com\n[A]: src/a.ts',
    );
  });

  it('are found in a time that grows with the text and no faster', async () => {
    for (const part of ['[a]: b\n', '[a]\n', '```\n', ']:'])
      await assertGrowsNoFaster((size) => lateDefinitions(part.repeat(size)), 5_000, part);
  });

  it('are not where they stand before it, in code, or are footnotes', () => {
    for (const text of [
      '[1]: https://example.com\n\n[x][1]',
      '[x][1]\n\n```\n[1]: https://a\n```',
      'x[^1]\n\n[^1]: note',
      '[2]: https://a',
      'a[0]: b',
    ])
      assert.equal(lateDefinitions(text), '', text);
  });
});

/** Public reports (test/corpus/REPORTS.md). */
describe('Money in an answer that was reported', () => {
  const isText = (text: string): void => assert.doesNotMatch(markdown.render(text), /class="math/);

  it('LibreChat#7894: reais', () => isText('R$ 12,29/metro, **Polo** R$ 15,83/metro e R$ 18,60/metro.'));
  it('orca#13330: a change of costs, in Chinese', () =>
    isText('月成本 **$148+ → $19**（年省 ~$1,550）；可再降到 $15.4/月'));
  it('SciLink#636: a price and a rate far apart', () =>
    isText('(1.58 g/L, ~$0.79/m³ gross). MgO is only about $300/t'));
  it('Rocket.Chat#3327: two sums beside a word', () => isText('$1000 vs $4000'));
  it('gpt_markdown#52: from one sum to another', () => isText('$123 - $234'));
  it('agentrove#924: the same sum twice', () => isText('$30 fee, and the $30 discount'));
  it('opencode#15892: rates of storage', () => isText('It is $0.02/GB, or $203/month.'));
  it('odysseus#5130: two sums, and a full stop', () => isText('$10 to $50.'));
});

describe('Markdown that was reported', () => {
  it('agentstack#1110: a block in a block of the other fence', () => {
    const html = markdown.render('~~~markdown\nFirst.\n```py\nfoo="bar"\n```\nSecond.\n~~~\n\nAfter.');
    assert.match(html, /^<pre data-language="markdown"><code>First\.[\s\S]*Second\.\n<\/code><\/pre><p>After\.<\/p>/);
  });

  it('LLM-Hub#76: a table with bold words and code in it', () => {
    const html = markdown.render('| Feature | Code |\n| :--- | :--- |\n| **Caching** | `useState` |');
    assert.match(
      html,
      /<td class="align-left"><strong>Caching<\/strong><\/td>\n<td class="align-left"><code>useState<\/code><\/td>/,
    );
  });
});

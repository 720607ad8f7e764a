import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, Patch } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, drawn, openChatPage, themeNames } from './chatPage.ts';
import { answer, broken, full, question, versioned } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

describe('The chat panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const { count, texts } = {
    count: (selector: string) => window.page.locator(selector).count(),
    texts: (selector: string) => window.page.locator(selector).allInnerTexts(),
  };
  const types = async (): Promise<string[]> => (await chat.posted()).map((message) => message.type);
  const patch = (seq: number, change: Patch<MessageView>['change']): Patch<MessageView> => ({
    conversation: 'c1',
    seq,
    change,
  });
  const append = (seq: number, text: string) => patch(seq, { kind: 'append', index: 1, field: 'text', text });
  const asked = [question('q', 'Why?'), answer('a', '', { state: 'streaming' })];

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}: empty, not connected, full, broken, waiting, with versions, edited`, async () => {
      await chat.theme(theme);
      const states: [string, () => Promise<void>][] = [
        ['empty', () => chat.show([])],
        ['not-connected', () => chat.show([], { connected: false })],
        [
          'full',
          () => chat.show(full, { tokens: '1,204 tokens', chips: [{ id: 'x', label: 'client.ts:1-9', title: 'src' }] }),
        ],
        ['searching', () => chat.show([], { search: 'busy' })],
        ['broken', () => chat.show(broken)],
        ['waiting', () => chat.show(asked)],
        ['versions', () => chat.show(versioned)],
        [
          'edited',
          async () => {
            await window.page.click('.question >> nth=1 >> [aria-label="Edit and Ask Again"]');
            // Both are looked at: what a hover shows hangs over the gap.
            await window.page.hover('.question >> nth=0');
          },
        ],
      ];
      for (const [name, show] of states) {
        await show();
        await window.page.screenshot({ path: join(pictures, `chat-${theme}-${name}.png`) });
        assert.deepEqual(await chat.axe(), [], name);
      }
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('searches the workspace for the question in the box, by keyboard, and sends nothing by that', async () => {
    const search = window.page.getByRole('button', { name: 'Search Workspace for This Question' });
    await chat.show([], { search: undefined });
    assert.equal(await search.isVisible(), false, 'where nothing can be searched, it is not offered');
    await chat.show([], { search: 'ready' });
    assert.equal(await search.isDisabled(), true, 'there is no question yet');
    await window.page.fill('.box', 'Where is the tide table read?');
    // The model and the parameters come first.
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await window.page.keyboard.press(key);
    assert.deepEqual(
      (await chat.posted()).filter(({ type }) => type === 'search' || type === 'send'),
      [{ type: 'search', text: 'Where is the tide table read?' }],
    );
    await chat.send({ type: 'state', state: { ...connected, search: 'busy' } });
    assert.equal(await search.isDisabled(), true);
    assert.deepEqual(await texts('[role=status]'), ['Searching the workspace']);
    const chips = [{ id: 'x', label: 'loadTable.ts:3-9', title: 'src/tides/loadTable.ts, lines 3 to 9' }];
    await chat.send({ type: 'state', state: { ...connected, search: 'ready', chips } });
    assert.deepEqual(await texts('[role=status]'), ['Attached: loadTable.ts:3-9']);
    assert.deepEqual(await texts('.composer .chip'), ['loadTable.ts:3-9']);
    assert.equal(await window.page.locator('.box').inputValue(), 'Where is the tide table read?');
    await window.page.keyboard.press('Enter');
    assert.equal((await types()).at(-1), 'send');
  });

  it('lets nothing in an answer run, load or lead anywhere', async () => {
    const attacks = [
      '<script>globalThis.owned = 1</script>',
      '<img src=x onerror="globalThis.owned = 1"><svg onload="globalThis.owned = 1">',
      '![pixel](https://evil.test/pixel.png)',
      '![data](data:image/svg+xml,<svg onload="globalThis.owned=1">)',
      '[a](javascript:globalThis.owned=1) [b](command:workbench.action.quit) [c](data:text/html,x) [d](vscode://x)',
      '<a href="javascript:globalThis.owned=1">e</a> <iframe src="https://evil.test"></iframe>',
      '```"><img src=x onerror=globalThis.owned=1>\ncode\n```',
      '```html\n<img src=x onerror="globalThis.owned = 1">\n```',
      '<style>body { display: none }</style> <div style="color:red">f</div>',
      '<form action="https://evil.test"><input></form> <math><mtext><img src=x onerror=globalThis.owned=1>',
    ].join('\n\n');
    await chat.show([question('q', '<img src=x onerror="globalThis.owned = 1">'), answer('a', attacks)]);
    assert.equal(await window.page.evaluate(() => 'owned' in globalThis), false);
    assert.equal(
      await count(
        '.messages :is(img, svg, script, iframe, style, form, input, math, [href], [src], [style], [onerror])',
      ),
      0,
    );
    // Addresses in the text are links of ours, which lead to the host alone.
    assert.equal(await count('.markdown a:not([data-href^="https://evil.test"])'), 0);
    assert.match((await texts('.answer .markdown'))[0] ?? '', /evil\.test\/pixel\.png/);
    assert.deepEqual(chat.escapes, []);
  });

  it('hands a link to the host, by mouse and by keyboard, and goes nowhere itself', async () => {
    await chat.show([question('q', 'x'), answer('a', '[docs](https://example.com/a?b=1)')]);
    assert.equal(await window.page.locator('.markdown a').getAttribute('title'), 'https://example.com/a?b=1');
    await window.page.click('.markdown a');
    await window.page.focus('.markdown a');
    await window.page.keyboard.press('Enter');
    const opened = (await chat.posted()).filter((message) => message.type === 'openLink');
    assert.deepEqual(opened, Array(2).fill({ type: 'openLink', href: 'https://example.com/a?b=1' }));
    assert.deepEqual(chat.escapes, []);
  });

  it('draws 2,000 tokens as they come, and touches no block that is closed', async () => {
    await chat.show(asked);
    const tokens = Array.from({ length: 2000 }, (_, i) => (i % 100 === 99 ? `end${i}.\n\n` : `t${i} `));
    await chat.send({ type: 'patches', patches: tokens.slice(0, 300).map((text, i) => append(i + 1, text)) });
    await window.page.evaluate(() => {
      document.querySelector('.markdown p')?.setAttribute('data-mark', 'kept');
    });
    for (let at = 300; at < 2000; at += 100) {
      await chat.send({
        type: 'patches',
        patches: tokens.slice(at, at + 100).map((text, i) => append(at + i + 1, text)),
      });
    }
    assert.equal(await count('.markdown p[data-mark=kept]'), 1);
    assert.equal(await count('.markdown p'), 20);
    const words = (await texts('.answer .markdown')).join(' ').split(/\s+/).filter(Boolean);
    assert.deepEqual(words, tokens.join('').split(/\s+/).filter(Boolean));
  });

  it('colours code once its block is closed, and lets an open one grow', async () => {
    await chat.show(asked);
    await chat.send({ type: 'patches', patches: [append(1, '```js\nconst a'), append(2, ' = 1;\nlet b')] });
    assert.equal(await count('.hljs-keyword'), 0);
    assert.deepEqual(await texts('.code pre'), ['const a = 1;\nlet b']);
    await chat.send({ type: 'patches', patches: [append(3, ' = 2;\n```\n\nDone.\n')] });
    assert.equal(await count('.hljs-keyword'), 2);
    assert.deepEqual((await texts('.code .language'))[0], 'js');
  });

  it('copies and inserts code, and has the answer copied as it was written', async () => {
    await chat.show([question('q', 'x'), answer('a', 'Text **bold**\n\n```js\nconst a = 1;\n```')]);
    await window.page.click('.code [aria-label="Copy"]');
    await window.page.click('.code [aria-label="Insert at Cursor"]');
    await window.page.click('[aria-label="Copy Answer"]');
    assert.deepEqual((await chat.posted()).slice(1), [
      { type: 'copy', text: 'const a = 1;' },
      { type: 'insert', text: 'const a = 1;', message: 'a' },
      // The host has all of it, and the page perhaps only its beginning.
      { type: 'copyMessage', message: 'a' },
    ]);
  });

  it('stays at the end while the user is there, and stays put once they scrolled up', async () => {
    const top = () => window.page.evaluate(() => document.querySelector('.conversation')?.scrollTop ?? -1);
    const atEnd = () =>
      window.page.evaluate(() => {
        const list = document.querySelector('.conversation');
        return list !== null && list.scrollHeight - list.scrollTop - list.clientHeight < 2;
      });
    await chat.show(asked);
    await chat.send({ type: 'patches', patches: [append(1, 'line\n\n'.repeat(80))] });
    assert.equal(await atEnd(), true);
    await window.page.mouse.move(150, 300);
    await window.page.mouse.wheel(0, -400);
    await window.page.waitForSelector('.latest:not([hidden])');
    await drawn(window.page);
    const before = await top();
    await chat.send({ type: 'patches', patches: [append(2, 'line\n\n'.repeat(40))] });
    assert.equal(await top(), before);
    await window.page.click('.latest');
    await drawn(window.page);
    assert.equal(await atEnd(), true);
    await chat.send({ type: 'patches', patches: [append(3, 'line\n\n'.repeat(40))] });
    assert.equal(await atEnd(), true);
  });

  it('sends on Enter, breaks the line on Shift+Enter, and leaves an input method its own Enter', async () => {
    await chat.show([]);
    await window.page.click('.box');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.type('one');
    await window.page.keyboard.press('Shift+Enter');
    await window.page.keyboard.type('two');
    await window.page.evaluate(() => {
      const composing = new KeyboardEvent('keydown', {
        key: 'Enter',
        isComposing: true,
        bubbles: true,
        cancelable: true,
      });
      document.querySelector('.box')?.dispatchEvent(composing);
    });
    assert.deepEqual(await types(), ['ready']);
    await window.page.keyboard.press('Enter');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'send', text: 'one\ntwo' });
    assert.equal(await window.page.inputValue('.box'), '');
  });

  it('stops on Escape and on the button while an answer comes, and only then', async () => {
    await chat.show(full);
    await window.page.focus('.box');
    await window.page.keyboard.press('Escape');
    assert.deepEqual(await types(), ['ready']);
    await chat.show(asked);
    await window.page.keyboard.press('Escape');
    await window.page.click('.send[aria-label="Stop"]');
    assert.deepEqual(await types(), ['ready', 'stop', 'stop']);
  });

  it('takes a click on its buttons though the page is drawn between the press and the release', async () => {
    const { mouse } = window.page;
    await chat.show(asked, { chips: [{ id: 'x', label: 'a.ts:1', title: 'a.ts' }] });
    for (const [i, button] of ['.send', '[aria-label="Remove a.ts:1"]'].entries()) {
      await window.page.hover(button);
      await mouse.down();
      await chat.send({ type: 'patches', patches: [append(i + 1, 'word ')] });
      await window.page.waitForFunction(
        (seq) => (globalThis.posted as { type: string; seq?: number }[]).some((message) => message.seq === seq),
        i + 1,
      );
      await mouse.up();
    }
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'stop' }, { type: 'detach', chip: 'x' }]);
  });

  it('reaches everything by Tab, in reading order', async () => {
    await chat.show(full, { chips: [{ id: 'x', label: 'a.ts:1', title: 'a.ts' }] });
    await window.page.fill('.box', 'x');
    await window.page.focus('.conversation');
    const seen: string[] = [];
    for (let i = 0; i < 30; i++) {
      seen.push(
        await window.page.evaluate(() => {
          const at = document.activeElement;
          return at?.getAttribute('aria-label') ?? at?.textContent?.slice(0, 12) ?? '';
        }),
      );
      await window.page.keyboard.press('Tab');
    }
    const order = [
      'Conversation',
      'Edit and Ask Again',
      'Fork Before This Question',
      'Delete Question and Answer',
      'Reasoning',
      'RFC 9110',
      'Copy',
      'Code typescript',
      'llama-x · 41',
      'Copy Answer',
      'Retry',
      'Fork After This Answer',
      'Delete Answer',
    ];
    const search = 'Search Workspace for This Question';
    const rest = ['Remove a.ts:1', 'Message', 'Model parley-chat, pick another', search, 'Send'];
    const places = [...order, ...rest].map((name) => seen.indexOf(name));
    assert.ok(!places.includes(-1), seen.join(' > '));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      seen.join(' > '),
    );
  });

  for (const [what, width, zoom] of [
    ['220 px', 220, 1],
    ['320 px at 200 %', 320, 2],
  ] as const) {
    it(`loses nothing at ${what}, and keeps its targets large enough`, async () => {
      await window.page.setViewportSize({ width: width, height: 800 });
      await window.page.evaluate((factor) => {
        document.documentElement.style.setProperty('--vscode-font-size', `${13 * factor}px`);
      }, zoom);
      for (const messages of [full, broken, versioned, []]) {
        await chat.show(messages, {
          tokens: '1,204 tokens',
          chips: [{ id: 'x', label: 'a-rather-long-name-of-a-file.ts:120-480', title: 'x' }],
        });
        const cut = await window.page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('#root *')]
            .filter((node) => node.checkVisibility() && node.closest('.sr-only, pre, .table') === null)
            .filter((node) => node.getBoundingClientRect().right > innerWidth + 0.5)
            .map((node) => node.className || node.tagName),
        );
        assert.deepEqual(cut, []);
        const small = await window.page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('button, summary')]
            .filter((node) => node.checkVisibility())
            .filter((node) => node.getBoundingClientRect().height < 24 || node.getBoundingClientRect().width < 24)
            .map((node) => node.className || node.tagName),
        );
        assert.deepEqual(small, []);
      }
    });
  }

  it('makes links of files in any spelling, and words of links to what is not there', async () => {
    const links = [
      '[1](./src/größe.ts:3)',
      '[2](folder/Stored Procedures/f.sql)',
      '[3](folder/Stored%20Procedures/f.sql#L2)',
      '[4](<folder/Stored Procedures/f.sql>)',
      '[5](src/app/(group)/page.tsx)',
      '[6](src/app/[id]/page.tsx)',
      '[7](C:\\p\\a.ts:7)',
      '[8](file:///home/u/p/a.ts)',
      '[9](/home/u/p/a.ts#L3-L5)',
      '[10](Dockerfile)',
      '`a.ts(3,5)`',
      'src/a.ts:12:80',
      '[11](users.$id.tsx)',
      '[12](src\\_a.ts)',
    ];
    const gone = ['[13](../README.md)', '[14](#usage)', '[15](no/such.ts)', '[16](nowhere)', '[17](src/no such.ts)'];
    await chat.show([question('q', 'Where?'), answer('a', [...links, ...gone].join('\n\n'))]);
    const found = [
      ...['src/größe.ts', 'folder/Stored Procedures/f.sql', 'src/app/(group)/page.tsx', 'src/app/[id]/page.tsx'],
      ...['C:/p/a.ts', '/home/u/p/a.ts', 'Dockerfile', 'a.ts', 'src/a.ts', 'users.$id.tsx', 'src/_a.ts'],
    ];
    const asked = await chat.askedFor();
    assert.deepEqual(
      found.filter((path) => !asked.includes(path)),
      [],
    );
    await chat.send({ type: 'files', found });
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
    const shown = [...numbers(1, 10), 'a.ts(3,5)', 'src/a.ts:12:80', '11', '12'];
    assert.deepEqual(await texts('.file-reference'), shown);
    assert.deepEqual(await texts('.markdown p'), [...shown, ...numbers(13, 17)]);
    const opens = await window.page
      .locator('.file-reference')
      .evaluateAll((all) => all.map((each) => JSON.parse(each.getAttribute('data-open') ?? '')));
    assert.deepEqual(opens[0], { path: 'src/größe.ts', line: 3 });
    assert.deepEqual(opens[6], { path: 'C:/p/a.ts', line: 7 });
    assert.deepEqual(opens[8], { path: '/home/u/p/a.ts', line: 3, endLine: 5 });
    assert.deepEqual(opens[10], { path: 'a.ts', line: 3, column: 5 });
    assert.deepEqual(opens[11], { path: 'src/a.ts', line: 12, column: 80 });
    assert.deepEqual(chat.escapes, []);
  });

  it('makes links of the files that are there, in code, in links and in text, and of nothing else', async () => {
    const text = [
      'See [the berths](src/berths.ts#L31-L33), `src/tide.ts:7`, lib/a.py:3, `no/such.ts` and `e.g.`; not example.com,',
      '[up](../../etc/passwd.txt), [run](javascript:x.ts), [cmd](command:a.b) or `a b.ts`.',
    ].join('\n');
    await chat.show([question('q', 'Where?'), answer('a', text)]);
    assert.deepEqual((await chat.askedFor()).sort(), ['lib/a.py', 'no/such.ts', 'src/berths.ts', 'src/tide.ts']);
    assert.equal(await count('.file-reference'), 0);
    await chat.send({ type: 'files', found: ['src/berths.ts', 'src/tide.ts', 'lib/a.py'] });
    assert.deepEqual(await texts('.file-reference'), ['the berths', 'src/tide.ts:7', 'lib/a.py:3']);
    await window.page.click('.file-reference:text-is("the berths")');
    await window.page.focus('.file-reference:text-is("lib/a.py:3")');
    await window.page.keyboard.press('Enter');
    assert.deepEqual((await chat.posted()).slice(1), [
      { type: 'openFile', path: 'src/berths.ts', line: 31, endLine: 33 },
      { type: 'openFile', path: 'lib/a.py', line: 3 },
    ]);
    assert.deepEqual(await chat.axe(), []);
    assert.deepEqual(chat.escapes, []);
  });

  it('draws half-written Markdown without its marks, and each block in the direction of its words', async () => {
    await chat.show(asked);
    await chat.send({ type: 'patches', patches: [append(1, 'This is **very bo')] });
    assert.equal(await window.page.locator('.answer strong').innerText(), 'very bo');
    await chat.send({ type: 'patches', patches: [append(2, 'ld**, see [the docs](https://exam')] });
    assert.match(await window.page.locator('.answer .markdown').innerText(), /^This is very bold, see the docs$/);
    await chat.send({ type: 'patches', patches: [append(3, 'ple.com).\n\nשלום עולם\n\nlast')] });
    const direction = (nth: number) =>
      window.page
        .locator('.answer .markdown p')
        .nth(nth)
        .evaluate((node) => getComputedStyle(node).direction);
    assert.deepEqual([await direction(0), await direction(1)], ['ltr', 'rtl']);
  });

  it('lists the questions that wait, asks for one back, and puts it before what is in the box', async () => {
    await chat.show(asked, {
      queue: [
        { id: 'w1', text: 'First <b>of</b> all' },
        { id: 'w2', text: 'Then this' },
      ],
    });
    assert.deepEqual(await texts('.queued-text'), ['First <b>of</b> all', 'Then this']);
    await window.page.fill('.composer .box', 'a draft');
    await window.page.click('.queue li:first-child button');
    assert.deepEqual((await chat.posted()).slice(1), [{ type: 'takeBack', question: 'w1' }]);
    await chat.send({ type: 'takenBack', text: 'First of all' });
    assert.equal(await window.page.inputValue('.composer .box'), 'First of all\n\na draft');
    await window.page.keyboard.press('Enter');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'send', text: 'First of all\n\na draft' });
    assert.deepEqual(await chat.axe(), []);
  });

  it('keeps words in the box that are longer than a message may be', async () => {
    await chat.show(asked);
    const longest = 'w'.repeat(1_000_000);
    await window.page.fill('.composer .box', 'a draft');
    await chat.send({ type: 'takenBack', text: longest });
    const before = (await chat.posted()).length;
    await window.page.press('.composer .box', 'Enter');
    assert.equal((await window.page.inputValue('.composer .box')).length, longest.length + '\n\na draft'.length);
    await window.page.fill('.composer .box', 'a draft');
    await window.page.press('.composer .box', 'Enter');
    assert.deepEqual((await chat.posted()).slice(before), [{ type: 'send', text: 'a draft' }]);
  });

  it('announces an answer once, at its end', async () => {
    await chat.show(asked);
    const said = () => window.page.locator('[role=status]').innerText();
    await chat.send({ type: 'patches', patches: [append(1, 'It is **so**.')] });
    assert.equal(await said(), '');
    await chat.send({
      type: 'patches',
      patches: [patch(2, { kind: 'put', index: 1, message: answer('a', 'It is **so**.') })],
    });
    assert.equal(await said(), 'Answer: It is so.');
  });

  it('asks once for the whole conversation when a patch is missing', async () => {
    await chat.show(asked);
    await chat.send({ type: 'patches', patches: [append(1, 'a'), append(3, 'c')] });
    await chat.send({ type: 'patches', patches: [append(4, 'd')] });
    assert.deepEqual(await types(), ['ready', 'ready']);
    await chat.show([question('q', 'Why?'), answer('a', 'abcd')]);
    assert.deepEqual(await texts('.answer .markdown'), ['abcd']);
  });

  it('shows the next question and its answer before the long one that ended is drawn to its end', async () => {
    const long = 'a line\n\n'.repeat(20_000);
    const { text: _, reasoning: __, ...ended } = answer('a', '');
    await chat.show(asked);
    const patches = [
      append(1, long),
      patch(2, { kind: 'describe', index: 1, facts: ended }),
      patch(3, { kind: 'put', index: 2, message: question('q2', 'And then?') }),
      patch(4, { kind: 'put', index: 3, message: answer('a2', 'That is all.') }),
    ];
    await chat.send({ type: 'patches', patches }, false);
    const lines = () => count('.answer >> nth=0 >> .markdown p');
    await window.page.waitForFunction(() => document.body.innerText.includes('That is all.'));
    assert.ok((await lines()) < 20_000);
    const drawn = () => window.page.evaluate(() => globalThis.posted as FromChatPanel[]);
    assert.ok((await drawn()).some((message) => message.type === 'drawn' && message.seq === 4));
    await window.page.waitForFunction(() => document.querySelectorAll('.markdown p').length === 20_001, null, {
      timeout: 120_000,
    });
  });

  for (const [kind, view] of [
    ['code', { text: `\`\`\`js\n${'let a = 1;\n'.repeat(20_000)}` }],
    ['words', { text: 'word '.repeat(40_000) }],
    ['thoughts', { text: '', reasoning: 'hm, so it is.\n'.repeat(20_000) }],
  ] as const) {
    it(`loses nothing of long ${kind} that are drawn part by part`, async () => {
      await chat.show([question('q', 'Why?'), { ...answer('a', ''), ...view, state: 'streaming' }]);
      const whole = kind === 'thoughts' ? view.reasoning : view.text.replace('```js\n', '');
      await window.page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent === text, [
        { code: '.code code', words: '.plain', thoughts: '.thoughts' }[kind],
        whole,
      ] as const);
      // Lines are parted between lines, and each is copied once.
      const selected = await window.page.evaluate((selector) => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        getSelection()?.selectAllChildren(document.querySelector(selector) as Element);
        return String(getSelection());
      }, { code: '.code code', words: '.plain', thoughts: '.thoughts' }[kind]);
      if (kind !== 'words') assert.equal(selected.trimEnd(), whole.trimEnd());
    });
  }

  it('replaces the last answer on retry', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'old', { state: 'failed', error: { sentence: 'It broke.' } })]);
    await window.page.click('.error .button:text-is("Retry")');
    assert.deepEqual((await types()).at(-1), 'retry');
    await chat.send({
      type: 'patches',
      patches: [patch(1, { kind: 'put', index: 1, message: answer('b', '', { state: 'streaming' }) })],
    });
    assert.equal(await count('.error'), 0);
    assert.equal(await count('.caret'), 1);
  });

  it('has its draft and its place again after the page was thrown away', async () => {
    const long = [question('q', 'Why?'), answer('a', 'line\n\n'.repeat(100))];
    await chat.show(long);
    await window.page.fill('.box', 'half a thought');
    await window.page.evaluate(() => {
      const list = document.querySelector('.conversation');
      if (list !== null) list.scrollTop = 500;
    });
    await window.page.waitForSelector('.latest:not([hidden])');
    await window.page.waitForFunction(
      () => (globalThis.saved as { place?: { message: string } }).place?.message === 'a',
    );
    const saved = await window.page.evaluate(() => globalThis.saved);
    chat = await openChatPage(window.page, saved);
    await chat.theme('dark');
    await chat.show(long);
    assert.equal(await window.page.inputValue('.box'), 'half a thought');
    assert.equal(await window.page.evaluate(() => document.querySelector('.conversation')?.scrollTop), 500);
  });

  it('takes the focus when it is told to, but not back from a list that the user has opened meanwhile', async () => {
    const { page } = window;
    const isInBox = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.classList.contains('box') === true);
    await chat.show([]);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      document.hasFocus = () => false;
    });
    await chat.send({ type: 'focus' });
    assert.equal(await isInBox(), false);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    assert.equal(await isInBox(), true);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      document.hasFocus = () => true;
    });
    await chat.send({ type: 'focus' });
    assert.equal(await isInBox(), true);
  });

  it('shows the actions of an answer on hover and on focus, and moves no text for them', async () => {
    await chat.show(full);
    const place = () => window.page.locator('.summary').boundingBox();
    const opacity = () =>
      window.page.evaluate(() => getComputedStyle(document.querySelector('.answer .actions') as Element).opacity);
    await window.page.mouse.move(160, 795);
    const before = await place();
    assert.equal(await opacity(), '0');
    await window.page.hover('.answer .markdown p');
    assert.equal(await opacity(), '1');
    assert.deepEqual(await place(), before);
    await window.page.mouse.move(160, 795);
    await window.page.focus('.answer .actions button');
    assert.equal(await opacity(), '1');
  });

  it('posts what its buttons stand for, and no more than a message of the protocol', async () => {
    await chat.show([], { chips: [{ id: 'x', label: 'a.ts:1', title: 'a.ts' }] });
    await window.page.click('.suggestion >> nth=1');
    await window.page.click('.model');
    await window.page.click('[aria-label="Remove a.ts:1"]');
    await chat.show(broken);
    await window.page.click('.error .button:text-is("Connect")');
    await chat.send({ type: 'state', state: { ...connected, connected: false } });
    await chat.show([], { connected: false });
    await window.page.click('.welcome .button');
    assert.deepEqual((await chat.posted()).slice(1), [
      { type: 'suggestion', index: 1 },
      { type: 'pickModel' },
      { type: 'detach', chip: 'x' },
      { type: 'helpWith', message: 'e3' },
      { type: 'connect' },
    ]);
  });
});

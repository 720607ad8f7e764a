import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

describe('An answer in the chat panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const count = (selector: string): Promise<number> => window.page.locator(selector).count();
  const texts = (selector: string): Promise<string[]> => window.page.locator(selector).allInnerTexts();
  const show = (text: string) => chat.show([question('q', 'Why?'), answer('a', text)]);
  /** Begins an answer that comes piece by piece. */
  async function begin(): Promise<(text: string) => Promise<void>> {
    await chat.show([question('q', 'Why?'), answer('a', '', { state: 'streaming' })]);
    let seq = 0;
    return (text) =>
      chat.send({
        type: 'patches',
        patches: [{ conversation: 'c1', seq: ++seq, change: { kind: 'append', index: 1, field: 'text', text } }],
      });
  }
  const untilFormulas = (number: number) =>
    window.page.waitForFunction((wanted) => document.querySelectorAll('math').length === wanted, number);
  const loadsMath = () =>
    window.page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('math.js')));

  const everything = [
    'Euler[^1] says $e^{i\\pi} + 1 = 0$, for $5 and $10.',
    '- [ ] write it down\n- [x] prove it, `twice`\n  - [ ] again',
    '$$\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n$$',
    '[^1]: Leonhard Euler, in his *Introductio*.',
  ].join('\n\n');

  for (const theme of themeNames) {
    it(`has tasks, formulas and footnotes that are clean for readers in the theme ${theme}`, async () => {
      await chat.theme(theme);
      await show(everything);
      await untilFormulas(2);
      await window.page.screenshot({ path: join(pictures, `chat-${theme}-markdown.png`) });
      assert.deepEqual(await chat.axe(), []);
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('shows which tasks are done, to the eye and to a reader, and takes no click on them', async () => {
    await show('- [ ] write\n- [x] prove\n- plain');
    const boxes = window.page.getByRole('checkbox', { name: 'Task' });
    const state = () => boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-checked')));
    assert.deepEqual(await state(), ['false', 'true']);
    await boxes.first().click({ force: true });
    assert.deepEqual(await state(), ['false', 'true']);
    assert.equal(await boxes.first().isDisabled(), true);
    assert.deepEqual(await texts('.markdown li'), ['write', 'prove', 'plain']);
  });

  it('keeps a column of sentences readable beside code in a narrow panel, and a column of numbers narrow', async () => {
    await window.page.setViewportSize({ width: 320, height: 800 });
    const sentence = 'Asks again when a request has failed for a reason that may pass';
    await show(
      `| File | What | Lines |\n|---|---|--:|\n| \`retry.ts\` | ${sentence} | 53 |\n| \`aLongNameOfSomeFile.ts\` | – | 9 |`,
    );
    const widths = await window.page
      .locator('.answer td')
      .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().width));
    assert.ok((widths[1] ?? 0) >= 150, `${widths}`);
    assert.ok((widths[2] ?? 0) < 60, `${widths}`);
    await window.page.screenshot({ path: join(pictures, 'chat-table-320.png') });
  });

  it('makes links of references whose definitions come at the end, also in an answer that is opened again', async () => {
    const text = 'See [the docs][1].\n\nMore words.\n\n[1]: https://example.com/docs\n';
    const append = await begin();
    await append(text.slice(0, 40));
    assert.equal(await count('.markdown a'), 0);
    await append(text.slice(40));
    await show(text);
    assert.equal(await window.page.locator('.markdown a').getAttribute('data-href'), 'https://example.com/docs');
    assert.deepEqual(await texts('.markdown p'), ['See the docs.', 'More words.']);
  });

  it('shows no codes of terminals, however they are cut', async () => {
    const append = await begin();
    for (const piece of [
      'It said: \u001b',
      '[3',
      '1mred\u001b[0m',
      ' \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007.\n',
    ])
      await append(piece);
    assert.deepEqual(await texts('.answer .markdown'), ['It said: red link.']);
    // What ends a paste in a terminal is to be seen.
    await append('\nx\u001b[201~y\n\nEnd.\n');
    assert.match((await texts('.answer .markdown p'))[1] ?? '', /^x.+\[201~y$/);
  });

  it('makes a link of a reference to a footnote once that has come, and leads there and back by keyboard', async () => {
    const append = await begin();
    await append('A claim[^1] and [^a-z].\n\nMore words.\n\n');
    assert.match((await texts('.answer .markdown'))[0] ?? '', /A claim\[\^1\] and \[\^a-z\]\./);
    assert.equal(await count('.footnote-reference'), 0);
    await append('[^1]: Its **source**.\n\nThe end.\n');
    assert.deepEqual(await texts('.footnote-reference'), ['1']);
    assert.match((await texts('.answer .markdown'))[0] ?? '', /\[\^a-z\]/);
    await window.page.getByRole('link', { name: 'Footnote 1' }).focus();
    await window.page.keyboard.press('Enter');
    assert.equal(await window.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Footnote 1');
    await window.page.keyboard.press('Tab');
    await window.page.keyboard.press('Enter');
    assert.equal(await window.page.evaluate(() => document.activeElement?.textContent), '1');
    assert.deepEqual((await chat.posted()).slice(1), []);
  });

  it('loads what draws formulas with the first that is closed, and shows the source until then', async () => {
    const append = await begin();
    await append('It costs $5 and $10.\n\n$$\n\\frac{1}{2}\n');
    assert.equal(await loadsMath(), false);
    assert.match((await texts('.answer .markdown'))[0] ?? '', /\\frac\{1\}\{2\}/);
    await append('$$\n\nand $x^2$ too.\n\nEnd.\n');
    await untilFormulas(2);
    assert.equal(await loadsMath(), true);
    assert.equal(await count('math mfrac'), 1);
    assert.equal(await window.page.locator('math').first().getAttribute('alttext'), '\\frac{1}{2}');
    assert.deepEqual(chat.escapes, []);
  });

  it('leaves the source of what is no formula, or one too large to be drawn at once', async () => {
    const sources = [
      '$\\frac{$',
      '$\\nosuch{x}$',
      `$${'\\frac{'.repeat(100)}x${'}{2}'.repeat(100)}$`,
      `$$${'x+'.repeat(900)}y$$`,
      '$\\def\\a{\\a\\a}\\a$',
    ];
    await show(`${sources.join('\n\n')}\n\n$z$`);
    await untilFormulas(1);
    assert.deepEqual((await texts('.markdown :is(p, .math.block)')).slice(0, -1), sources);
  });

  it('keeps every formula within its own box, however large it is', async () => {
    await show('$a\\kern-1000em b\\rule{1000em}{1000em}\\raisebox{1000em}{x}\\hspace{-99999em}z$');
    await untilFormulas(1);
    const [clips, width] = await window.page.evaluate(() => {
      const box = document.querySelector('.math') as Element;
      return [getComputedStyle(box).contain, box.getBoundingClientRect().width] as const;
    });
    assert.equal(clips, 'paint');
    assert.ok(width <= 320);
  });

  it('leaves the text that is read where it is while formulas above it are drawn', async () => {
    // The bundle is held until the place was measured.
    let letIn = (): void => {};
    const measured = new Promise<void>((done) => {
      letIn = done;
    });
    await window.page.route('**/math.js', async (route) => {
      await measured;
      await route.fallback();
    });
    const fractions = '$$\n\\frac{\\frac{a}{b}}{\\frac{c}{d}}\n$$\n\n'.repeat(20);
    await show(`${fractions}${'line\n\n'.repeat(60)}`);
    await window.page.evaluate(() => {
      const list = document.querySelector('.conversation') as HTMLElement;
      list.scrollTop = list.scrollHeight / 2;
    });
    await window.page.waitForSelector('.latest:not([hidden])');
    const top = () =>
      window.page.evaluate(() => document.querySelectorAll('.markdown p')[40]?.getBoundingClientRect().top ?? 0);
    const before = await top();
    assert.equal(await count('math'), 0);
    await window.page.evaluate(() => {
      // A formula takes all of a frame, as on a slow machine: each moves what is below it in a go of its own.
      let now = 0;
      performance.now = () => (now += 10);
    });
    letIn();
    await untilFormulas(20);
    assert.ok(Math.abs((await top()) - before) < 1, `${before} → ${await top()}`);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { MessageView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, Patch } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import type { ChatPage } from './chatPage.ts';
import { answer, question, versioned } from './samples.ts';
import { useChatPage } from './useChatPage.ts';

const editLabel = 'Edit and Ask Again';

describe('Versions in the chat panel', () => {
  let window: Window;
  let chat: ChatPage;
  let seq = 0;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });
  beforeEach(() => {
    seq = 0;
  });

  const at = (selector: string): Locator => window.page.locator(selector);
  const texts = (selector: string): Promise<string[]> => at(selector).allInnerTexts();
  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  const posted = async (): Promise<FromChatPanel[]> => (await chat.posted()).slice(1);
  const message = (index: number): Locator => at('.messages > article').nth(index);
  const button = (index: number, name: string): Locator => message(index).getByRole('button', { name, exact: true });
  const edit = (index: number): Promise<void> => button(index, editLabel).click();
  const change = (...changes: Patch<MessageView>['change'][]): Promise<void> =>
    chat.send({ type: 'patches', patches: changes.map((each) => ({ conversation: 'c1', seq: ++seq, change: each })) });
  const put = (index: number, view: MessageView): Patch<MessageView>['change'] => ({
    kind: 'put',
    index,
    message: view,
  });
  const focused = (): Promise<string> =>
    window.page.evaluate(() => {
      const { activeElement: of } = document;
      const name = of?.getAttribute('aria-label') ?? of?.tagName ?? '';
      return `${name} of ${of?.closest('.versions')?.getAttribute('aria-label') ?? of?.closest('article')?.className ?? 'the page'}`;
    });
  const topOf = (locator: Locator): Promise<number> => locator.evaluate((node) => node.getBoundingClientRect().top);
  const lines = (count: number): string => 'line\n\n'.repeat(count);
  const versionOf = (at: number, count: number): MessageView =>
    answer(`y${at}`, lines(count), { versions: { at, of: 2, before: 'y1', after: 'y2' } });
  const followed = [question('q2', 'And then?'), answer('b', lines(80))];
  const streaming = answer('s', 'It is', { state: 'streaming' });
  const streaming2 = answer('s2', 'Then', { state: 'streaming' });

  it('offers no versions where there is one', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'Because.')]);
    assert.equal(await at('.versions').count(), 0);
    const [text, block] = [await at('.question-text').boundingBox(), await at('.question').boundingBox()];
    assert.equal((block?.height ?? 0) - (text?.height ?? 0), 18, 'a padding and a border, above and below');
  });

  it('has its figures in one line with the arrows, and what is done with it below where both do not fit', async () => {
    const versions = { at: 2, of: 2, before: 'v1' };
    await chat.show([question('q', 'Why?'), answer('v2', 'So.', { versions, summary: 'parley-chat · 10 tokens' })]);
    const box = async (selector: string) => {
      const found = await at(`.answer ${selector}`).first().boundingBox();
      return found ?? assert.fail(selector);
    };
    const [arrows, figures, actions] = [await box('.versions'), await box('.summary'), await box('.actions')];
    assert.ok(figures.y < arrows.y + arrows.height, 'in one line');
    assert.ok(actions.y >= arrows.y + arrows.height, 'below');
  });

  it('asks for the version beside the one that is shown, by mouse', async () => {
    await chat.show(versioned);
    assert.deepEqual(await texts('.versions'), ['2 / 2', '2 / 3']);
    await button(0, 'Previous Version').click();
    await button(1, 'Previous Version').click();
    await button(1, 'Next Version').click();
    assert.deepEqual(await posted(), [
      { type: 'choose', message: 'v1a' },
      { type: 'choose', message: 'w1' },
      { type: 'choose', message: 'w3' },
    ]);
  });

  it('asks for the version beside the one that is shown, by keyboard', async () => {
    await chat.show(versioned);
    await button(1, 'Previous Version').focus();
    await press('Enter');
    await press('Tab');
    await press('Space');
    assert.deepEqual(await posted(), [
      { type: 'choose', message: 'w1' },
      { type: 'choose', message: 'w3' },
    ]);
  });

  it('ends at the first and at the last version, which a reader hears, and asks for nothing there', async () => {
    const between = (at: number, before?: string, after?: string) =>
      answer('w', 'It waits.', { versions: { at, of: 3, before, after } });
    for (const [view, end] of [
      [between(1, undefined, 'w2'), 'Previous Version'],
      [between(3, 'w2'), 'Next Version'],
    ] as const) {
      await chat.show([question('q', 'Why?'), view]);
      assert.deepEqual(
        await Promise.all(['Previous Version', 'Next Version'].map((name) => button(1, name).isDisabled())),
        [end === 'Previous Version', end === 'Next Version'],
      );
      await button(1, end).click({ force: true });
      await press('Enter');
      await press('Space');
    }
    assert.deepEqual(await posted(), []);
    await chat.show(versioned);
    assert.equal(await at('[role=group][aria-label="Version 2 of 3"]').count(), 1);
  });

  it('shows the version that was chosen and what followed it, and lets the keyboard step on', async () => {
    await chat.show(versioned);
    await button(0, 'Previous Version').focus();
    await press('Enter');
    await change(
      { kind: 'cut', index: 2 },
      put(0, { ...question('v1a', 'Does it wait?'), versions: { at: 1, of: 2, after: 'v1b' } }),
      put(1, answer('x1', 'It does.')),
    );
    assert.deepEqual(await texts('.question-text'), ['Does it wait?']);
    assert.deepEqual(await texts('.answer .markdown'), ['It does.']);
    assert.deepEqual(await texts('.versions'), ['1 / 2']);
    assert.equal(await focused(), 'Previous Version of Version 1 of 2');
    // A key that is held down stays at the end.
    await press('Enter');
    await press('Tab');
    await press('Enter');
    await change(
      put(0, { ...question('v1b', 'How long?'), versions: { at: 2, of: 2, before: 'v1a' } }),
      put(1, answer('w2', 'Long.')),
      put(2, question('v2', 'And where is that tested?')),
    );
    assert.equal(await focused(), 'Next Version of Version 2 of 2');
    assert.deepEqual(await texts('.question-text'), ['How long?', 'And where is that tested?']);
    assert.deepEqual(await posted(), [
      { type: 'choose', message: 'v1a' },
      { type: 'choose', message: 'v1b' },
    ]);
    assert.equal(await at('[role=status]').innerText(), '', 'an answer that was there before is not announced');
  });

  it('keeps the stepper where it is on the screen, however long the versions are', async () => {
    await chat.show([question('q', 'Why?'), versionOf(1, 20), ...followed]);
    // Far from the end, where the page stands, it is not drawn.
    await message(1).scrollIntoViewIfNeeded();
    await button(1, 'Next Version').click();
    const isKept = async (step: () => Promise<void>): Promise<void> => {
      const before = await topOf(button(1, 'Next Version'));
      await step();
      const movedBy = (await topOf(button(1, 'Next Version'))) - before;
      // What scrolls, and the room of a message that is not drawn, are rounded to whole pixels.
      assert.ok(Math.abs(movedBy) < 1, `moved by ${movedBy} px`);
    };
    await isKept(() =>
      change({ kind: 'cut', index: 2 }, put(1, versionOf(2, 60)), ...followed.map((view, i) => put(i + 2, view))),
    );
    await isKept(() => change(put(1, versionOf(1, 20))));
    // So long a version is drawn in several goes.
    await isKept(() => change(put(1, versionOf(2, 4000))));
    assert.equal(await message(1).locator('.markdown-blocks > p').count(), 4000);
    await isKept(() => change(put(1, versionOf(1, 20))));
  });

  it('lets go of the stepper where the user scrolls before all of a version is drawn', async () => {
    await chat.show([question('q', 'Why?'), versionOf(1, 20), ...followed]);
    await message(1).scrollIntoViewIfNeeded();
    await button(1, 'Next Version').click();
    const before = await topOf(button(1, 'Next Version'));
    await at('.conversation').evaluate((scroller) => {
      const scroll = (): void => {
        if (scroller.getAttribute('aria-busy') === 'true') scroller.dispatchEvent(new WheelEvent('wheel'));
      };
      new MutationObserver(scroll).observe(scroller, { attributeFilter: ['aria-busy'] });
    });
    await change(put(1, versionOf(2, 4000)));
    assert.ok((await topOf(button(1, 'Next Version'))) > before + 1000, 'what is read stays, and the rest comes below');
  });

  it('takes the focus from no list that the user has opened meanwhile', async () => {
    await chat.show(versioned);
    await button(1, 'Next Version').focus();
    await window.page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await change(put(1, answer('w3', 'It waits.', { versions: { at: 3, of: 3, before: 'w2' } })));
    assert.equal(await focused(), 'BODY of the page');
  });

  it('turns a question into a box with its text, the caret at its end, and the question’s attachments', async () => {
    await chat.show(versioned);
    await edit(0);
    assert.equal(await focused(), `${editLabel} of question`);
    await window.page.keyboard.type(' Always?');
    assert.equal(
      await message(0).locator('textarea').inputValue(),
      'How long does the client wait before it tries again? Always?',
    );
    assert.deepEqual(await texts('.question .chip'), ['client.ts:12-40']);
    assert.equal(await at('.composer .box').inputValue(), '');
    assert.deepEqual(await posted(), []);
  });

  it('sends an edit once on Enter, with a line that Shift+Enter broke, and goes on in the message box', async () => {
    await chat.show(versioned);
    await edit(2);
    await press('Shift+Enter');
    await window.page.keyboard.type('And how?');
    await window.page.keyboard.down('Enter');
    assert.equal(await focused(), 'Message of the page');
    await window.page.fill('.composer .box', 'a draft');
    // The key repeats while it is held down.
    await window.page.keyboard.down('Enter');
    await window.page.keyboard.up('Enter');
    assert.deepEqual(await posted(), [{ type: 'edit', message: 'v2', text: 'And where is that tested?\nAnd how?' }]);
    assert.equal(await at('.composer .box').inputValue(), 'a draft');
    assert.equal(await at('.question textarea').count(), 0);
    await change(
      { kind: 'cut', index: 3 },
      put(2, { ...question('v3', 'And how?'), versions: { at: 2, of: 2, before: 'v2' } }),
    );
    assert.equal(await focused(), 'Message of the page');
    assert.equal((await texts('.question-text')).at(-1), 'And how?');
  });

  it('leaves an input method its own Enter and Escape in an edit', async () => {
    await chat.show(versioned);
    await edit(2);
    await window.page.evaluate(() => {
      for (const key of ['Enter', 'Escape']) {
        const composing = new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true });
        document.querySelector('.question textarea')?.dispatchEvent(composing);
      }
    });
    assert.equal(await at('.question textarea').count(), 1);
    assert.deepEqual(await posted(), []);
  });

  it('sends an edit by its button, and nothing that is empty', async () => {
    await chat.show(versioned);
    await edit(2);
    const send = message(2).getByRole('button', { name: 'Send' });
    await message(2).locator('textarea').fill(' ');
    assert.equal(await send.isDisabled(), true);
    await press('Enter');
    assert.deepEqual(await posted(), []);
    await message(2).locator('textarea').fill('Where?');
    await send.click();
    assert.deepEqual(await posted(), [{ type: 'edit', message: 'v2', text: 'Where?' }]);
    // What is attached is a question of its own.
    await edit(0);
    await message(0).locator('textarea').fill('');
    await press('Enter');
    assert.deepEqual((await posted()).at(-1), { type: 'edit', message: 'v1b', text: '' });
  });

  it('closes an edit on Escape, from its box and its buttons, without stopping the answer that comes', async () => {
    await chat.show([question('q', 'Why?'), streaming]);
    for (const tabs of [0, 1, 2]) {
      await edit(0);
      await window.page.keyboard.type(' x');
      for (let i = 0; i < tabs; i++) await press('Tab');
      await window.page.keyboard.down('Escape');
      // The key repeats while it is held down.
      await window.page.keyboard.down('Escape');
      await window.page.keyboard.up('Escape');
      assert.deepEqual(await texts('.question-text'), ['Why?']);
      assert.equal(await focused(), `${editLabel} of question`);
    }
    assert.deepEqual(await posted(), []);
    await press('Escape');
    assert.deepEqual(await posted(), [{ type: 'stop' }]);
  });

  it('closes an edit on Cancel, and shows the question as it was', async () => {
    await chat.show(versioned);
    await edit(0);
    await window.page.keyboard.type(' x');
    await message(0).getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await texts('.question-text >> nth=0'), ['How long does the client wait before it tries again?']);
    assert.equal(await focused(), `${editLabel} of question`);
    assert.deepEqual(await posted(), []);
  });

  it('keeps an edit open, with what is written in it, while messages around it and its own versions change', async () => {
    await chat.show([question('q', 'Why?'), streaming]);
    await edit(0);
    await window.page.keyboard.type(' Really?');
    await change(
      { kind: 'append', index: 1, field: 'text', text: ' so.' },
      put(1, answer('s', 'It is so.')),
      put(2, question('q2', 'And then?')),
    );
    const versions = { at: 1, of: 2, after: 'other' };
    await change(put(0, { ...question('q', 'Why?'), versions }));
    // All of it again, as after a patch that was missed.
    await chat.show([{ ...question('q', 'Why?'), versions }, answer('s', 'It is so.'), question('q2', 'And then?')]);
    assert.equal(await message(0).locator('textarea').inputValue(), 'Why? Really?');
    assert.equal(await focused(), `${editLabel} of question`);
    await press('Escape');
    assert.deepEqual(await texts('.versions'), ['1 / 2']);
    assert.deepEqual(await texts('.question-text'), ['Why?', 'And then?']);
  });

  it('leaves the box of an edit where it is while the answer below grows', async () => {
    await chat.show([question('q', 'Why?'), streaming]);
    await edit(0);
    const before = await topOf(message(0));
    for (let i = 0; i < 4; i++) {
      await change({ kind: 'append', index: 1, field: 'text', text: 'line\n\n'.repeat(20) });
    }
    assert.equal(await topOf(message(0)), before);
    assert.equal(await at('.latest').isVisible(), true);
    // The question that waited for the answer is asked.
    await change(put(1, answer('s', 'line\n\n'.repeat(80))), put(2, question('q2', 'And then?')), put(3, streaming2));
    assert.equal(await topOf(message(0)), before);
    // What is asked is followed again.
    await press('Enter');
    await change({ kind: 'cut', index: 1 }, put(0, question('q1', 'Why?')));
    await change(put(1, answer('s1', 'line\n\n'.repeat(60), { state: 'streaming' })));
    assert.equal(await at('.latest').isVisible(), false);
  });

  it('deletes a question or an answer, and goes on in the message box', async () => {
    await chat.show(versioned);
    await button(2, 'Delete Question and Answer').click();
    await button(1, 'Delete Answer').focus();
    await press('Enter');
    await change(
      { kind: 'cut', index: 2 },
      put(1, answer('w1', 'It waits.', { versions: { at: 1, of: 2, after: 'w3' } })),
    );
    assert.equal(await focused(), 'Message of the page');
    await button(0, 'Delete Question and Answer').click();
    await change({ kind: 'cut', index: 0 });
    assert.equal(await focused(), 'Message of the page');
    assert.equal(await at('.suggestion').count(), 3);
    assert.deepEqual(await posted(), [
      { type: 'delete', message: 'v2' },
      { type: 'delete', message: 'w2' },
      { type: 'delete', message: 'v1b' },
    ]);
  });

  it('answers an earlier question again by the id of its answer, and the last one by itself', async () => {
    await chat.show(versioned);
    await button(1, 'Retry').click();
    await button(3, 'Retry').click();
    assert.deepEqual(await posted(), [{ type: 'regenerate', message: 'w2' }, { type: 'retry' }]);
    await change({ kind: 'cut', index: 2 }, put(1, answer('w5', '', { state: 'streaming' })));
    assert.equal(await at('.caret').isVisible(), true);
    assert.equal(await at('.answer').count(), 1);
  });

  it('offers Retry by an earlier answer that failed, too', async () => {
    const failed = answer('f', '', { state: 'failed', error: { sentence: 'It broke.' } });
    await chat.show([question('q', 'Why?'), failed, question('q2', 'And now?'), answer('a', 'Now.')]);
    await button(1, 'Retry').click();
    assert.deepEqual(await posted(), [{ type: 'regenerate', message: 'f' }]);
  });

  it('shows markup in a question as text, also after an edit', async () => {
    const text = '<img src=x onerror="globalThis.owned = 1"> **bold** <b>b</b> \u202eesrever';
    await chat.show([question('q', text), answer('a', 'x')]);
    for (const _ of ['before', 'after']) {
      assert.equal(await at('.question-text').textContent(), text);
      assert.equal(await at('.question :is(img, b, strong)').count(), 0);
      await edit(0);
      assert.equal(await message(0).locator('textarea').inputValue(), text);
      await press('Escape');
    }
    assert.equal(await window.page.evaluate(() => 'owned' in globalThis), false);
    assert.deepEqual(chat.escapes, []);
  });

  it('shows the actions of a question on hover and on focus, over no text, and moves nothing for them', async () => {
    const chips = [{ id: 'k', label: 'a-name-of-a-file-that-fills-the-row.ts:120-480', title: 'x' }];
    const long = 'It is a question of two lines, of which the last one ends near the right edge.';
    await chat.show([
      question('q', long),
      answer('a', `${long} `.repeat(3)),
      question('q2', 'x', chips),
      answer('b', long),
    ]);
    for (const index of [0, 2]) {
      const boxes = () =>
        window.page.evaluate(() =>
          [...document.querySelectorAll('.messages :is(article, .question-text, .chip, p)')].map((node) =>
            JSON.stringify(node.getBoundingClientRect()),
          ),
        );
      const actions = message(index).locator('.actions');
      const opacity = () => actions.evaluate((node) => getComputedStyle(node).opacity);
      await window.page.mouse.move(160, 795);
      const before = await boxes();
      assert.equal(await opacity(), '0');
      await message(index).hover();
      assert.equal(await opacity(), '1');
      assert.deepEqual(await boxes(), before);
      const covered = await actions.evaluate((node) => {
        const over = node.getBoundingClientRect();
        const isUnder = ({ top, bottom, left, right }: DOMRect) =>
          bottom > over.top && top < over.bottom && right > over.left && left < over.right;
        const range = document.createRange();
        return [...document.querySelectorAll('.question-text, .chip span, .markdown p')].filter((text) => {
          range.selectNodeContents(text);
          // The rectangles of the text, as high as its font.
          return [...range.getClientRects()].some(isUnder);
        }).length;
      });
      assert.equal(covered, 0);
      await window.page.mouse.move(160, 795);
      await button(index, editLabel).focus();
      assert.equal(await opacity(), '1');
      await window.page.focus('.composer .box');
    }
  });

  for (const width of [320, 220]) {
    it(`loses nothing of an edit at ${width} px, and keeps its targets large enough`, async () => {
      await window.page.setViewportSize({ width, height: 800 });
      await chat.show(versioned);
      await edit(0);
      const { small, cut } = await window.page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLElement>('.messages *')].filter((node) => node.checkVisibility());
        const box = (node: HTMLElement) => node.getBoundingClientRect();
        return {
          small: all
            .filter((node) => node.matches('button, summary') && (box(node).height < 24 || box(node).width < 24))
            .map((node) => node.className),
          cut: all.filter((node) => box(node).right > innerWidth || box(node).left < 0).map((node) => node.className),
        };
      });
      assert.deepEqual(small, []);
      assert.deepEqual(cut, []);
    });
  }
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import type { CompletionView } from '../../src/webview/shared/protocol/completionProtocol.ts';
import type { FromChatPanel } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const files: CompletionView[] = [
  { id: '1', label: 'file:', detail: 'A file of the workspace', icon: 'file', kind: 'step' },
  { id: '2', label: 'berths.ts', detail: 'src', icon: 'file', kind: 'item', words: 'berths.ts' },
  {
    id: '3',
    label: 'aVeryLongNameOfAFileThatDoesNotFitIntoANarrowPanel.ts',
    detail: 'src/tides',
    icon: 'file',
    kind: 'item',
  },
];

describe('The choices at the message box', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });
  beforeEach(async () => {
    await chat.show([]);
    await window.page.focus('.box');
  });

  const type = (text: string): Promise<void> => window.page.keyboard.type(text);
  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  const value = (): Promise<string> => window.page.locator('.box').inputValue();
  const isOpen = (): Promise<boolean> => window.page.locator('.completions').isVisible();
  const posted = async <T extends FromChatPanel['type']>(kind: T): Promise<Extract<FromChatPanel, { type: T }>[]> =>
    (await chat.posted()).filter((each): each is Extract<FromChatPanel, { type: T }> => each.type === kind);
  const offer = (text: string, items = files, trigger: '@' | '/' = '@'): Promise<void> =>
    chat.send({ type: 'completions', trigger, text, items });
  /** The active choice, as a screen reader finds it. */
  const active = (): Promise<string | null> =>
    window.page.evaluate(() => {
      const id = document.querySelector('.box')?.getAttribute('aria-activedescendant');
      const option = id ? document.getElementById(id) : null;
      return option?.getAttribute('aria-selected') === 'true'
        ? (option.querySelector('.completion-label')?.textContent ?? null)
        : null;
    });

  it('are asked for after @ at the start or after white space, and after / at the start alone', async () => {
    await type('/fi');
    await type(' a@b @be');
    assert.deepEqual(
      (await posted('complete')).map(({ trigger, text }) => trigger + text),
      ['/', '/f', '/fi', '@', '@b', '@be'],
    );
  });

  it('are chosen by arrows and Enter, by Tab, and by a click; nothing is sent by that', async () => {
    for (const [choose, id] of [
      [() => press('Enter'), '3'],
      [() => press('Tab'), '3'],
      [() => window.page.click('.completion >> nth=2'), '3'],
    ] as const) {
      await type('Explain @be');
      await offer('be');
      assert.equal(await active(), 'file:');
      await press('ArrowDown');
      await press('ArrowDown');
      assert.equal(await active(), files[2]?.label);
      await choose();
      assert.equal(await isOpen(), false);
      assert.equal(await value(), 'Explain ', 'a choice without a name leaves nothing in the box');
      assert.deepEqual((await posted('chooseCompletion')).at(-1), {
        type: 'chooseCompletion',
        trigger: '@',
        id,
        text: 'be',
      });
      assert.equal(await window.page.evaluate(() => document.activeElement?.className), 'box');
      await window.page.fill('.box', '');
    }
    assert.deepEqual(await posted('send'), []);
  });

  it('leave the name of what was chosen in the sentence, at its place', async () => {
    await type('Compare @be');
    await offer('be', files.slice(1, 2));
    await press('Enter');
    assert.equal(await value(), 'Compare berths.ts ', 'the sentence goes on at once');
    await type('and @be');
    await offer('be', files.slice(1, 2));
    await press('Tab');
    assert.equal(await value(), 'Compare berths.ts and berths.ts ');
    await type('in a table');
    await press('Enter');
    assert.deepEqual(
      (await posted('send')).map(({ text }) => text),
      ['Compare berths.ts and berths.ts in a table'],
    );
    await type('What does do?');
    for (let i = 0; i < ' do?'.length; i++) await press('ArrowLeft');
    await type(' @be');
    await offer('be', files.slice(1, 2));
    await press('Enter');
    assert.equal(await value(), 'What does berths.ts do?', 'amid a sentence no space comes twice');
    await press('Control+z');
    assert.equal(await value(), 'What does @be do?', 'undo takes a choice back');
    assert.equal((await posted('chooseCompletion')).length, 3);
  });

  it('go round the ends, and follow what is typed on', async () => {
    await type('@');
    await offer('');
    await press('ArrowUp');
    assert.equal(await active(), files[2]?.label);
    await type('b');
    await offer('b', files.slice(1, 2));
    assert.equal(await active(), 'berths.ts');
    await offer('', files);
    assert.equal(await active(), 'berths.ts', 'an answer that comes late is passed over');
    await type('zzz');
    await offer('bzzz', []);
    assert.equal(await isOpen(), false);
    await press('Enter');
    assert.deepEqual(
      (await posted('send')).map(({ text }) => text),
      ['@bzzz'],
      'where nothing fits, Enter sends',
    );
  });

  it('wait with Enter for what fits the text that is typed, and choose that', async () => {
    await type('@');
    await offer('');
    await type('be');
    await press('Enter');
    assert.deepEqual(await posted('chooseCompletion'), []);
    await offer('be', files.slice(1, 2));
    assert.deepEqual(
      (await posted('chooseCompletion')).map(({ id }) => id),
      ['2'],
    );
    assert.deepEqual(await posted('send'), []);
  });

  it('wait with Enter while the sentence goes on', async () => {
    for (const [later, then] of [
      ['in a table', 'See berths.ts in a table'],
      [' and @ma', 'See berths.ts and @ma'],
    ] as const) {
      await window.page.fill('.box', '');
      await type('See @');
      await offer('');
      await type('be');
      await press('Enter');
      await type(later);
      assert.equal(await value(), `See @be${later}`);
      await offer('be', files.slice(1, 2));
      assert.equal(await value(), then);
      await type('!');
      assert.equal(await value(), `${then}!`, 'the caret stays where it was');
    }
    // The word that was begun meanwhile is looked for, too.
    assert.equal((await posted('complete')).at(-1)?.text, 'ma!');
    assert.equal((await posted('chooseCompletion')).length, 2);
  });

  it('wait no longer with Enter once the word is another, and choose nothing where there is nothing', async () => {
    await type('@');
    await offer('');
    await type('be');
    await press('Enter');
    await press('Backspace');
    await offer('be', files.slice(1, 2));
    assert.equal(await value(), '@b');
    await offer('b', files.slice(1, 2));
    assert.equal(await value(), '@b');
    await type('x');
    await press('Enter');
    await type(' y');
    await offer('bx', []);
    assert.equal(await value(), '@bx y');
    assert.equal(await isOpen(), false);
    assert.deepEqual(await posted('chooseCompletion'), []);
    assert.deepEqual(await posted('send'), []);
  });

  it('lead on by a step, which is typed into the box', async () => {
    await type('See @');
    await offer('');
    await press('Enter');
    assert.equal(await value(), 'See @file:');
    assert.deepEqual((await posted('complete')).at(-1), { type: 'complete', trigger: '@', text: 'file:' });
    assert.deepEqual(await posted('chooseCompletion'), []);
    await press('Control+z');
    assert.equal(await value(), 'See @', 'undo takes a choice back');
  });

  it('write at once what they have to write, before what is typed next', async () => {
    await type('/re');
    const review = { id: '9', label: 'review', detail: '', icon: 'account', kind: 'item', insert: '/review ' } as const;
    await offer('re', [review], '/');
    await press('Enter');
    await type('races');
    assert.equal(await value(), '/review races');
    assert.deepEqual(await posted('chooseCompletion'), []);
    await press('Enter');
    assert.deepEqual(
      (await posted('send')).map(({ text }) => text),
      ['/review races'],
    );
  });

  it('close with Escape, which stops no answer, and stay closed for that word', async () => {
    await chat.show([question('q', 'Why?'), answer('a', 'Because', { state: 'streaming' })]);
    await type('@b');
    await offer('b');
    await press('Escape');
    assert.equal(await isOpen(), false);
    assert.deepEqual(await posted('stop'), []);
    await type('e');
    assert.equal((await posted('complete')).at(-1)?.text, 'b');
    await type(' @');
    await offer('');
    assert.equal(await isOpen(), true, 'another word opens them again');
    await window.page.focus('.conversation');
    assert.equal(await isOpen(), false);
    await press('Escape');
    assert.equal((await posted('stop')).length, 1);
  });

  it('are no answer to a composition that is going on', async () => {
    await window.page.evaluate(() => {
      const box = document.querySelector<HTMLTextAreaElement>('.box');
      if (box === null) return;
      box.value = '@か';
      box.setSelectionRange(2, 2);
      box.dispatchEvent(new InputEvent('input', { isComposing: true, bubbles: true }));
    });
    assert.deepEqual(await posted('complete'), []);
    await window.page.evaluate(() =>
      document.querySelector('.box')?.dispatchEvent(new CompositionEvent('compositionend')),
    );
    assert.deepEqual(
      (await posted('complete')).map(({ text }) => text),
      ['か'],
    );
  });

  it('cost nothing in a box that holds a million characters', async () => {
    await window.page.fill('.box', `${'x'.repeat(999_000)} `);
    await press('Control+End');
    await type('@be');
    assert.equal((await posted('complete')).at(-1)?.text, 'be');
    await window.page.fill('.box', `@${'x'.repeat(300)}`);
    assert.equal((await posted('complete')).at(-1)?.text, 'be', 'no word is as long as that');
  });

  for (const theme of themeNames) {
    it(`are clean for readers in the theme ${theme}, also at 220 px and at twice the size`, async () => {
      await chat.theme(theme);
      await type('Explain @');
      await offer('');
      await press('ArrowDown');
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: width === 220 ? 400 : 800 });
        await window.page.screenshot({ path: join(pictures, `completions-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        const { left, right, top } = (await window.page.evaluate(() =>
          document.querySelector('.completions')?.getBoundingClientRect().toJSON(),
        )) as DOMRect;
        assert.ok(left >= 0 && right <= width && top >= 0, `${left} ${right} ${top}`);
      }
      assert.deepEqual(await window.page.locator('[role=listbox] [role=option]').count(), 3);
      assert.equal(await window.page.locator('[role=status]').innerText(), '3 suggestions');
      assert.deepEqual(chat.escapes, []);
    });
  }
});

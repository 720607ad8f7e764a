import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CompletionView } from '../../src/webview/shared/protocol/completionProtocol.ts';
import type { ChipView, OpenFileView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, PanelState } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const chip = (id: string, label: string): ChipView => ({
  id,
  label,
  title: `src/${label}`,
  tokens: '52',
  icon: 'file',
});
const merge = chip('m', 'mergeMap.ts');
const concat = chip('c', 'concatMap.ts');
const choice: CompletionView = {
  id: '2',
  label: 'concatMap.ts',
  detail: 'src',
  icon: 'file',
  kind: 'item',
  words: 'concatMap.ts',
};
const openFile = (state: OpenFileView['state'], label = 'berths.ts'): OpenFileView => ({
  state,
  chip: {
    id: 'o',
    label,
    title: state === 'off' ? `${label} is open, and does not go along` : `${label} is open, and goes along`,
    ...(state === 'on' && { tokens: '420' }),
    icon: 'file',
  },
});

describe('What a question names and brings along', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const posted = async <T extends FromChatPanel['type']>(kind: T): Promise<Extract<FromChatPanel, { type: T }>[]> =>
    (await window.page.evaluate(() => globalThis.posted as FromChatPanel[])).filter(
      (each): each is Extract<FromChatPanel, { type: T }> => each.type === kind,
    );
  const state = (more: Partial<PanelState>): Promise<void> =>
    chat.send({ type: 'state', state: { ...connected, ...more } });
  const labels = (within: string): Promise<string[]> => window.page.locator(`${within} .chip-label`).allInnerTexts();
  const press = (key: string): Promise<void> => window.page.keyboard.press(key);
  const asked = question('q', 'Compare mergeMap.ts and concatMap.ts in a table', [merge, concat]);

  it('leads from the words of a sent question to the file, by mouse and by key', async () => {
    await chat.show([asked, answer('a', 'Done.')]);
    const links = window.page.locator('.question-text [role=link]');
    assert.deepEqual(await links.allInnerTexts(), ['mergeMap.ts', 'concatMap.ts']);
    assert.equal(await window.page.locator('.question-text').textContent(), asked.text, 'the words are as they were');
    await links.first().click();
    await links.last().focus();
    await press('Enter');
    assert.deepEqual(await posted('openChip'), [
      { type: 'openChip', message: 'q', chip: 'm' },
      { type: 'openChip', message: 'q', chip: 'c' },
    ]);
    assert.deepEqual(await chat.axe(), []);
  });

  it('makes no link of a name that stands for nothing attached, and keeps a hostile one as text', async () => {
    const hostile = chip('h', '<img src=x onerror=alert(1)>');
    await chat.show([
      question('q', 'See other.ts, mergeMap.tsx and <img src=x onerror=alert(1)> here', [merge, hostile]),
    ]);
    assert.deepEqual(await window.page.locator('.question-text [role=link]').allInnerTexts(), [hostile.label]);
    assert.equal(await window.page.locator('.question-text img').count(), 0);
    assert.deepEqual(chat.escapes, []);
  });

  it('changes what goes along with an edited question: removed, added by @, and sent as a new version', async () => {
    await chat.show([asked, answer('a', 'Done.')]);
    await window.page.click('.question [aria-label="Edit"], .question .actions button >> nth=0');
    assert.deepEqual(await posted('beginEdit'), [{ type: 'beginEdit', message: 'q' }]);
    assert.deepEqual(await labels('.editor'), ['mergeMap.ts', 'concatMap.ts']);
    await window.page.click('.editor .chip .icon-button >> nth=1');
    assert.deepEqual(await posted('detach'), [{ type: 'detach', chip: 'c', of: 'q' }]);
    await state({ edited: [{ message: 'q', chips: [merge] }] });
    assert.deepEqual(await labels('.editor'), ['mergeMap.ts']);
    assert.equal(await window.page.locator('.editor .box').inputValue(), asked.text, 'the words stay');
    await press('Control+End');
    await window.page.keyboard.type(' @con');
    assert.deepEqual((await posted('complete')).at(-1), { type: 'complete', trigger: '@', text: 'con', of: 'q' });
    await chat.send({ type: 'completions', trigger: '@', text: 'con', items: [choice] });
    assert.equal(await window.page.locator('.completions:visible').count(), 1, 'the list stands at that box alone');
    await window.page.screenshot({ path: join(pictures, 'edit-mention.png') });
    assert.deepEqual(await chat.axe(), []);
    await press('Enter');
    assert.deepEqual(await posted('chooseCompletion'), [
      { type: 'chooseCompletion', trigger: '@', id: '2', text: 'con', of: 'q' },
    ]);
    await state({ edited: [{ message: 'q', chips: [merge, chip('n', 'concatMap.ts')] }] });
    await press('Enter');
    assert.deepEqual(await posted('edit'), [{ type: 'edit', message: 'q', text: `${asked.text} concatMap.ts` }]);
    assert.deepEqual(await posted('endEdit'), [], 'the host takes what is attached with the question');
    assert.deepEqual(await posted('send'), []);
  });

  it('asks again where only what goes along is another, and forgets the change on Cancel and Escape', async () => {
    await chat.show([asked]);
    const edit = (): Promise<void> => window.page.locator('.question .actions button').first().click({ force: true });
    await edit();
    await press('Enter');
    assert.deepEqual(await posted('edit'), [], 'the same again is no new version');
    assert.equal((await posted('endEdit')).length, 1);
    for (const leave of [() => press('Escape'), () => window.page.click('.editor .secondary')]) {
      await edit();
      await state({ edited: [{ message: 'q', chips: [] }] });
      await leave();
      await state({});
      assert.deepEqual(await labels('.question'), ['mergeMap.ts', 'concatMap.ts']);
    }
    assert.equal((await posted('endEdit')).length, 3);
    await edit();
    await state({ edited: [{ message: 'q', chips: [merge] }] });
    await window.page.focus('.editor .box');
    await press('Enter');
    assert.deepEqual(await posted('edit'), [{ type: 'edit', message: 'q', text: asked.text }]);
  });

  it('attaches what is dropped on an edited question, or pasted there, to that question', async () => {
    await chat.show([asked]);
    await window.page.locator('.question .actions button').first().click({ force: true });
    await window.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('application/vnd.code.uri-list', 'file:///w/a.ts');
      const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector('.editor .box')?.dispatchEvent(drop);
      const text = new DataTransfer();
      text.setData('text/plain', 'line\n'.repeat(60));
      const paste = new ClipboardEvent('paste', { clipboardData: text, bubbles: true, cancelable: true });
      document.querySelector('.editor .box')?.dispatchEvent(paste);
    });
    assert.deepEqual(await posted('attachUris'), [{ type: 'attachUris', uris: ['file:///w/a.ts'], of: 'q' }]);
    assert.deepEqual(
      (await posted('pasteText')).map(({ of }) => of),
      ['q'],
    );
  });

  it('turns the open file off by one click, and on by another; it says which it is', async () => {
    await chat.show([], { openFile: openFile('on') });
    const button = window.page.getByRole('button', { name: 'berths.ts The open file' });
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.click();
    assert.deepEqual(await posted('sendOpenFile'), [{ type: 'sendOpenFile', isSent: false }]);
    await state({ openFile: openFile('off') });
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.match(await window.page.locator('[role=status]').innerText(), /does not go along/);
    await button.focus();
    await press('Enter');
    assert.deepEqual((await posted('sendOpenFile')).at(-1), { type: 'sendOpenFile', isSent: true });
    await state({ openFile: openFile('known') });
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await state({});
    assert.equal(await button.isVisible(), false);
  });

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, at 220 and 320 px and at twice the size`, async () => {
      await chat.theme(theme);
      for (const [width, height] of [
        [320, 800],
        [220, 800],
        [220, 300],
      ] as const) {
        await window.page.setViewportSize({ width, height });
        for (const fileState of ['on', 'off'] as const) {
          const long = openFile(fileState, 'aVeryLongNameOfAFileThatDoesNotFitIntoANarrowPanel.ts');
          await chat.show([asked], { openFile: long, chips: [merge, concat] });
          assert.deepEqual(await chat.axe(), []);
          await window.page.screenshot({
            path: join(pictures, `open-file-${fileState}-${theme}-${width}-${height}.png`),
          });
          const [box, file] = await Promise.all(
            ['.composer', '.open-file'].map((each) => window.page.locator(each).boundingBox()),
          );
          assert.ok(box && file && file.x >= box.x && file.x + file.width <= box.x + box.width, JSON.stringify(file));
          assert.ok(file.width > 0 && file.height >= 24);
        }
      }
    });
  }
});

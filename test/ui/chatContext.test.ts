import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { sentImage } from '../../src/webview/shared/imageLimits.ts';
import type { ChipView } from '../../src/webview/shared/protocol/messageProtocol.ts';
import type { FromChatPanel, ScaledImage } from '../../src/webview/shared/protocol/protocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const chips: ChipView[] = [
  {
    id: 'a',
    label: 'berths.ts:31-34',
    title: 'src/berths.ts, lines 31 to 34, about 52 tokens',
    tokens: '52',
    icon: 'list-selection',
  },
  { id: 'b', label: 'src/', title: 'src/, about 1,200 tokens', tokens: '1.2k', icon: 'folder' },
  {
    id: 'c',
    label: 'Pasted text, 120 lines',
    title: 'Pasted text, 120 lines, about 850 tokens',
    tokens: '850',
    icon: 'clippy',
  },
  {
    id: 'd',
    label: 'a-screenshot-with-a-long-name-that-fits-nowhere.png',
    title: 'x',
    tokens: '1k',
    icon: 'file-media',
  },
];

describe('What goes along with a question', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });
  beforeEach(async () => {
    await chat.show([]);
    await window.page.focus('.box');
  });

  const posted = async <T extends FromChatPanel['type']>(kind: T): Promise<Extract<FromChatPanel, { type: T }>[]> =>
    (await chat.posted()).filter((each): each is Extract<FromChatPanel, { type: T }> => each.type === kind);
  const until = async <T extends FromChatPanel['type']>(kind: T): Promise<Extract<FromChatPanel, { type: T }>> => {
    await window.page.waitForFunction(
      (type) => globalThis.posted.some((each) => (each as FromChatPanel).type === type),
      kind,
    );
    return (await posted(kind))[0] as Extract<FromChatPanel, { type: T }>;
  };

  interface Given {
    readonly data?: Record<string, string>;
    readonly files?: readonly { name: string; type: string; text?: string; base64?: string }[];
  }
  /** Pastes into the box, or drops on the conversation, as the browser does it. Gives whether the page took it. */
  const give = (way: 'paste' | 'drop', { data = {}, files = [] }: Given): Promise<boolean> =>
    window.page.evaluate(
      ([kind, texts, given]) => {
        const transfer = new DataTransfer();
        for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
        for (const { name, type, text, base64 } of given) {
          const bytes = base64 === undefined ? (text ?? '') : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
          transfer.items.add(new File([bytes], name, { type }));
        }
        const event =
          kind === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
        return !document.querySelector(kind === 'paste' ? '.box' : '.conversation')?.dispatchEvent(event);
      },
      [way, data, files] as const,
    );
  /** A picture of noise, which no form makes small, or of one colour. */
  const picture = (width: number, height: number, type = 'image/png', isNoise = false): Promise<string> =>
    window.page.evaluate(
      async ([w, h, form, noise]) => {
        const canvas = new OffscreenCanvas(w, h);
        const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
        context.fillStyle = '#336699';
        context.fillRect(0, 0, w, h);
        if (noise) {
          const pixels = context.createImageData(w, h);
          for (let at = 0; at < pixels.data.length; at += 65_536)
            crypto.getRandomValues(new Uint8Array(pixels.data.buffer, at, Math.min(65_536, pixels.data.length - at)));
          context.putImageData(pixels, 0, 0);
        }
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: form })).arrayBuffer());
        let text = '';
        for (const byte of bytes) text += String.fromCharCode(byte);
        return btoa(text);
      },
      [width, height, type, isNoise] as const,
    );
  const bytesOf = ({ data }: { data: string }): number => Buffer.from(data, 'base64').length;

  it('is a chip with its size, which opens by keyboard and can be removed', async () => {
    await chat.show([], { chips });
    assert.deepEqual(
      await window.page
        .locator('.composer .chip')
        .allInnerTexts()
        .then((all) => all.map((text) => text.replaceAll('\n', ' '))),
      ['berths.ts:31-34 52', 'src/ 1.2k', 'Pasted text, 120 lines 850', `${chips[3]?.label} 1k`],
    );
    await window.page.focus('.composer .open-chip');
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.press('Tab');
    await window.page.keyboard.press('Enter');
    assert.deepEqual((await chat.posted()).slice(1), [
      { type: 'readChip', chip: 'a' },
      { type: 'detach', chip: 'a' },
    ]);
  });

  it('stands with the question, and opens from there', async () => {
    await chat.show([question('q', 'Why?', chips)]);
    await window.page.click('.question .open-chip >> nth=2');
    assert.deepEqual(await posted('openChip'), [{ type: 'openChip', message: 'q', chip: 'c' }]);
  });

  it('takes the place of a long text that is pasted, with its language; a short one stays text', async () => {
    assert.equal(await give('paste', { data: { 'text/plain': 'line\n'.repeat(40) } }), false);
    const long = 'line\n'.repeat(41);
    const data = { 'text/plain': long, 'vscode-editor-data': JSON.stringify({ version: 1, mode: 'typescript' }) };
    assert.equal(await give('paste', { data }), true);
    assert.deepEqual(await posted('pasteText'), [{ type: 'pasteText', name: '', language: 'typescript', text: long }]);
    assert.equal(await give('paste', { data: { 'text/plain': 'x'.repeat(8001) } }), true, 'a long line is long, too');
  });

  it('leaves a long text to the box where it is pasted with Shift', async () => {
    await window.page.keyboard.press('Control+Shift+V');
    assert.equal(await give('paste', { data: { 'text/plain': 'line\n'.repeat(100) } }), false);
    await window.page.keyboard.press('Control+V');
    assert.equal(await give('paste', { data: { 'text/plain': 'line\n'.repeat(100) } }), true);
  });

  it('comes from the explorer and the desktop by drag and drop, by addresses; web addresses are none', async () => {
    const list = 'file:///w/src/a.ts\r\nvscode-remote://ssh/w/b%20c.ts\r\n# comment\r\nhttps://example.com/x';
    assert.equal(await give('drop', { data: { 'text/uri-list': list } }), true);
    assert.equal(await give('drop', { data: { resourceurls: '["file:///w/d.ts", 7]' } }), true);
    assert.equal(await give('drop', { data: { 'text/plain': 'words' } }), false);
    assert.deepEqual(
      (await posted('attachUris')).map(({ uris }) => uris),
      [['file:///w/src/a.ts', 'vscode-remote://ssh/w/b%20c.ts'], ['file:///w/d.ts']],
    );
    assert.deepEqual(chat.escapes, []);
  });

  it('comes as a text from a file that the page alone can read', async () => {
    await give('drop', { files: [{ name: 'notes.txt', type: 'text/plain', text: 'one' }] });
    const { name, text } = await until('pasteText');
    assert.deepEqual([name, text], ['notes.txt', 'one']);
  });

  it('is a pasted image as it is where a model takes it so', async () => {
    const base64 = await picture(640, 480);
    assert.equal(await give('paste', { files: [{ name: 'image.png', type: 'image/png', base64 }] }), true);
    const { image, original, name } = await until('pasteImage');
    assert.deepEqual({ ...image, name }, { mime: 'image/png', data: base64, width: 640, height: 480, name: '' });
    assert.equal(original.data, base64);
    assert.deepEqual(chat.escapes, []);
  });

  for (const [what, width, height, type, isNoise] of [
    ['a large one', 5000, 2500, 'image/png', false],
    ['one of many bytes', 1800, 1800, 'image/png', true],
    ['one in another form', 300, 200, 'image/webp', false],
  ] as const) {
    it(`is a pasted image within bounds: ${what}`, async () => {
      const base64 = await picture(width, height, type, isNoise);
      await give('paste', { files: [{ name: 'x', type, base64 }] });
      const { image, original } = await until('pasteImage');
      assert.ok(image);
      assert.ok(Math.max(image.width, image.height) <= sentImage.side);
      assert.ok(bytesOf(image) <= sentImage.bytes, `${bytesOf(image)} bytes`);
      assert.ok(Math.abs(image.width / image.height - width / height) < 0.02);
      assert.equal(original.data, base64, 'the original is kept');
    });
  }

  it('is an image that the host has read from the disk, which the page scales', async () => {
    await chat.send({ type: 'scaleImage', id: '7', mime: 'image/png', data: await picture(4096, 100) });
    const { id, image } = await until('imageScaled');
    assert.deepEqual([id, image?.width, image?.height], ['7', 2048, 50]);
    await chat.send({ type: 'scaleImage', id: '8', mime: 'image/png', data: btoa('no image at all') });
    await window.page.waitForFunction(() => globalThis.posted.some((each) => (each as { id?: string }).id === '8'));
    const second = (await posted('imageScaled'))[1] as { image?: ScaledImage };
    assert.equal(second.image, undefined);
    assert.deepEqual(chat.escapes, []);
  });

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, also at 220 px`, async () => {
      await chat.theme(theme);
      await chat.show([question('q', 'Why?', chips)], { chips });
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 800 });
        await window.page.screenshot({ path: join(pictures, `context-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        assert.equal(await window.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      }
    });
  }
});

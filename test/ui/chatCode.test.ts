import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Window } from '../host/browser.ts';
import { type ChatPage, openChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `let line${at + 1} = ${at};`).join('\n');

describe('Code in the chat panel', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  });

  const show = (text: string) => chat.show([question('q', 'How?'), answer('a', text)]);
  const button = (name: string) => window.page.getByRole('button', { name, exact: true });
  const focused = () => window.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const last = async () => (await chat.posted()).at(-1);
  const codeText = () =>
    window.page
      .locator('.code code')
      .first()
      .evaluate((code) => (code as HTMLElement).innerText);

  it('hands code to the host for each thing that can be done with it', async () => {
    await show(`**scripts/ci.sh**\n\n${fence('bash', 'npm ci\nnpm test')}\n\n${fence('mermaid', 'graph TD\n A')}`);
    const first = { text: 'npm ci\nnpm test' };
    for (const [name, message] of [
      ['Copy', { type: 'copy', ...first }],
      ['Insert at Cursor', { type: 'insert', ...first, message: 'a' }],
      ['Apply to File', { type: 'apply', ...first, message: 'a' }],
      ['New File', { type: 'newFile', ...first, language: 'bash', message: 'a' }],
      ['Run in Terminal (Without Enter)', { type: 'runInTerminal', ...first, language: 'bash' }],
    ] as const) {
      await button(name).first().click();
      const { path: _, ...posted } = (await last()) as { path?: string };
      assert.deepEqual(posted, message);
    }
    await button('Open in Preview').click();
    assert.deepEqual(await last(), { type: 'preview', text: 'graph TD\n A' });
    assert.equal(await button('Run in Terminal (Without Enter)').count(), 1, 'a diagram runs in no terminal');
  });

  it('is one stop of the Tab key with its buttons, which the arrows go through', async () => {
    await show(fence('ts', 'let a = 1;'));
    await button('Copy').focus();
    const seen: (string | null | undefined)[] = [];
    for (const key of [
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'Home',
      'End',
    ]) {
      await window.page.keyboard.press(key);
      seen.push(await focused());
    }
    const [apply, file, wrap] = ['Apply to File', 'New File', 'Toggle Word Wrap'];
    assert.deepEqual(seen, ['Insert at Cursor', apply, file, wrap, 'Copy', wrap, 'Copy', wrap]);
    await window.page.keyboard.press('Tab');
    assert.equal(await focused(), 'Code ts');
    await window.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(), wrap);
  });

  for (const [what, text, path] of [
    ['behind the fence', fence('ts src/a.ts', 'x'), 'src/a.ts'],
    ['after a colon', fence('ts:src/a.ts', 'x'), 'src/a.ts'],
    ['behind its lines', fence('12:20:src/a.ts', 'x'), 'src/a.ts'],
    ['as a title', fence('ts title="src/a.ts"', 'x'), 'src/a.ts'],
    ['in its first line', fence('ts', '// src/a.ts\nx'), 'src/a.ts'],
    ['in its first line in another language', fence('python', '# filepath: lib/a.py\nx'), 'lib/a.py'],
    ['in its first line, from the root', fence('ts', '// C:\\p\\größe.ts\nx'), 'C:/p/größe.ts'],
    ['in the header of a diff', fence('diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y'), 'src/a.ts'],
    ['as new in a diff', fence('diff', '--- /dev/null\n+++ b/lib/new.ts\n@@ -0,0 +1 @@\n+y'), 'lib/new.ts'],
    ['before it', `In \`src/b.ts\` and \`src/a.ts\`:\n\n${fence('ts', 'x')}`, 'src/a.ts'],
    ['before it in another language', `文件：\`src/工具.ts\`\n\n${fence('ts', 'x')}`, 'src/工具.ts'],
    ['in the heading above', `### Vagrantfile\n\nIt is new.\n\n${fence('ruby', 'x')}`, 'Vagrantfile'],
    ['in a sentence, and is there', `As \`src/a.ts\` does it.\n\n${fence('ts', 'x')}`, 'src/a.ts'],
    ['in a sentence, and is not there', `As \`src/c.ts\` does it.\n\n${fence('ts', 'x')}`, undefined],
    ['as what is no file', `With \`Math.min\`:\n\n${fence('ts {1-3}', '// x.y\nz')}`, 'x.y'],
    ['nowhere', `Do it so:\n\n${fence('ts', 'import a from "./a.ts";')}`, undefined],
    ['above the workspace', fence('ts path="../../a.ts"', 'x'), '../../a.ts'],
  ] as const) {
    it(`is applied to the file that is named ${what}`, async () => {
      await show(text);
      await chat.send({ type: 'files', found: ['src/a.ts', 'src/b.ts'] });
      await button('Apply to File').click();
      assert.equal(((await last()) as { path?: string }).path, path);
    });
  }

  for (const [what, text, count] of [
    ['code', fence('ts', 'x'), 1],
    [
      'commands and what was printed',
      ['bash', 'console', 'pwsh', 'text', 'output'].map((each) => fence(each, 'x')).join('\n\n'),
      0,
    ],
    ['a script whose file is named', `### deploy.sh\n\n${fence('bash', 'x')}\n\n${fence('sh a.sh', 'x')}`, 2],
    ['a diff of files elsewhere', fence('diff', '--- a/other/b.ts\n+++ b/other/b.ts\n@@ -1 +1 @@\n-x\n+y'), 0],
    ['a diff of a file that is here', fence('diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y'), 1],
    ['a diff that names no file', fence('diff', '-x\n+y'), 1],
  ] as const) {
    it(`can be applied where it is ${what}: ${count}`, async () => {
      await show(text);
      await chat.send({ type: 'files', found: ['src/a.ts'] });
      assert.equal(await button('Apply to File').count(), count);
      await button('Copy').first().focus();
      await window.page.keyboard.press('ArrowRight');
      await window.page.keyboard.press('ArrowRight');
      assert.equal(await focused(), count === 0 ? 'New File' : 'Apply to File');
    });
  }

  it('has the word beside the icon of Apply, also in little room', async () => {
    await show(fence('ts', 'let a = 1;'));
    const word = window.page.locator('.button-word');
    for (const width of [500, 320, 220]) {
      await window.page.setViewportSize({ width, height: 800 });
      assert.equal(await word.innerText(), 'Apply');
      const [code, buttons] = await Promise.all(
        ['.code', '.code-buttons'].map((each) => window.page.locator(each).boundingBox()),
      );
      assert.ok(code && buttons && buttons.x >= code.x && buttons.x + buttons.width <= code.x + code.width);
      await window.page.screenshot({ path: join(pictures, `code-word-${width}.png`) });
    }
    for (const theme of themeNames) {
      await chat.theme(theme);
      assert.deepEqual(await chat.axe(), []);
      await window.page.screenshot({ path: join(pictures, `chat-${theme}-code-word.png`) });
    }
  });

  it('is one block where blocks stand in it, when it is whole and while it comes', async () => {
    const inner = ['# Use', '```js', 'a();', '```', 'and', '```sh', 'b', '```', 'end'].join('\n');
    await show(`Here:\n\n${fence('md', inner)}\n\nThat is it.`);
    assert.equal(await window.page.locator('.code').count(), 1);
    await button('Copy').click();
    assert.deepEqual(await last(), { type: 'copy', text: inner });
    await chat.show([question('q', 'How?'), answer('b', '', { state: 'streaming' })]);
    for (const [seq, line] of [...`Here:\n\n${fence('md', inner)}\n\nThat is it.\n`.matchAll(/.*\n/g)].entries()) {
      const change = { kind: 'append', index: 1, field: 'text', text: line[0] } as const;
      await chat.send({ type: 'patches', patches: [{ conversation: 'c1', seq: seq + 1, change }] });
      assert.equal(await window.page.locator('.code').count(), seq > 1 ? 1 : 0, line[0]);
    }
    await button('Copy').click();
    assert.deepEqual(await last(), { type: 'copy', text: inner });
  });

  it('is one block where its fence opens twice, with its file between', async () => {
    await show('```ts\n// src/a.ts\n```ts\nlet a = 1;\n```\n\nThat is it.');
    await button('Apply to File').click();
    assert.deepEqual(await last(), { type: 'apply', text: 'let a = 1;', path: 'src/a.ts', message: 'a' });
    await show('```ts\na();\n```\n\n```ts\nb();\n```');
    assert.equal(await window.page.locator('.code').count(), 2);
  });

  it('folds when it is long, and shows all, with its colours, by keyboard', async () => {
    await show(`${fence('js', lines(30))}\n\n${fence('js', lines(31))}`);
    assert.equal(await window.page.locator('.fold').count(), 1);
    const code = window.page.locator('.code code').nth(1);
    const shown = () => code.evaluate((each) => (each as HTMLElement).innerText.trimEnd());
    assert.equal(await shown(), lines(20));
    await button('Copy').nth(1).click();
    assert.deepEqual(await last(), { type: 'copy', text: lines(31) });
    const fold = button('Show All 31 Lines');
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    await fold.focus();
    await window.page.keyboard.press('Enter');
    assert.equal(await shown(), lines(31));
    assert.equal(await code.locator('.hljs-keyword').count(), 31);
    await window.page.keyboard.press('Enter');
    assert.equal(await shown(), lines(20));
    assert.deepEqual(await chat.axe(), []);
  });

  it('folds at its end while the end of the conversation is followed, and not under whoever reads above', async () => {
    const stream = async (seq: number, text: string) =>
      chat.send({
        type: 'patches',
        patches: [{ conversation: 'c1', seq, change: { kind: 'append', index: 1, field: 'text', text } }],
      });
    await chat.show([question('q', 'How?'), answer('a', '', { state: 'streaming' })]);
    await stream(1, `\`\`\`js\n${lines(60)}\n`);
    assert.equal((await codeText()).trimEnd(), lines(60));
    await stream(2, '```\n\nNext:\n\n');
    assert.equal((await codeText()).trimEnd(), lines(20));
    await stream(3, `\`\`\`js\n${lines(60)}\n`);
    await window.page.mouse.move(150, 300);
    await window.page.mouse.wheel(0, -300);
    await window.page.waitForSelector('.latest:not([hidden])');
    const top = () => window.page.evaluate(() => document.querySelector('.conversation')?.scrollTop);
    const before = await top();
    await stream(4, '```\n\nThe end.\n\n');
    assert.equal(await button('Show Fewer Lines').count(), 1);
    assert.equal(await top(), before);
  });

  it('stays as the user has unfolded it when the answer is no longer the last one', async () => {
    const first = [question('q', 'How?'), answer('a', fence('js', lines(40)))];
    await chat.show(first);
    await button('Show All 40 Lines').click();
    await chat.show([...first, question('q2', 'And?')]);
    assert.equal((await codeText()).trimEnd(), lines(40));
  });

  it('scrolls or wraps, all of it at once, also after the page was thrown away', async () => {
    const long = fence('js', `let a = '${'word '.repeat(60)}';`);
    await show(`${long}\n\n${long}`);
    const scrolls = () =>
      window.page.locator('.code pre').evaluateAll((all) => all.map((pre) => pre.scrollWidth > pre.clientWidth));
    assert.deepEqual(await scrolls(), [true, true]);
    await button('Toggle Word Wrap').first().click();
    assert.deepEqual(await scrolls(), [false, false]);
    const pressed = () => button('Toggle Word Wrap').evaluateAll((all) => all.map((each) => each.ariaPressed));
    assert.deepEqual(await pressed(), ['true', 'true']);
    const saved = await window.page.evaluate(() => globalThis.saved);
    chat = await openChatPage(window.page, saved);
    await chat.theme('dark');
    await show(long);
    assert.deepEqual(await scrolls(), [false]);
    assert.deepEqual(await pressed(), ['true']);
  });

  for (const theme of themeNames) {
    it(`loses no button at 220 px and at 200 %, and is clean for readers, in the theme ${theme}`, async () => {
      await chat.theme(theme);
      for (const [width, zoom] of [
        [220, 1],
        [320, 2],
      ] as const) {
        await window.page.setViewportSize({ width, height: 800 });
        await window.page.evaluate((factor) => {
          document.documentElement.style.setProperty('--vscode-font-size', `${13 * factor}px`);
        }, zoom);
        await show(
          [fence('a-rather-long-name-of-a-language', 'x'), fence('powershell', 'y'), fence('js', lines(40))].join(
            '\n\n',
          ),
        );
        const cut = await window.page.locator('.code-header, .code button').evaluateAll((all) =>
          all
            .filter((each) => each.checkVisibility())
            .map((each) => each.getBoundingClientRect())
            .filter(({ right, width, height }) => right > innerWidth || width < 24 || height < 24)
            .map(({ right, width, height }) => ({ right, width, height })),
        );
        assert.deepEqual(cut, []);
        assert.deepEqual(await chat.axe(), []);
        await window.page.screenshot({ path: join(pictures, `chat-${theme}-code-${width}.png`) });
      }
      assert.deepEqual(chat.escapes, []);
    });
  }
});

/**
 * Every construct of test/attack through the ways by which Parley shows a text in VS Code. VS Code is the judge: what it drew is
 * looked at for links, icons and elements. That Parley shows texts by no other way, test/unit/editor/plainShown.test.ts holds.
 */
import assert from 'node:assert/strict';
import {
  window as bare,
  commands,
  EventEmitter,
  Hover,
  languages,
  MarkdownString,
  ProgressLocation,
  Range,
  Selection,
  TreeItem,
  type TreeView,
  workspace,
} from 'vscode';
import { plain, plainLines, withIcon } from '../../../../src/editor/text/plainText.ts';
import {
  codeLens,
  markdownOf,
  markdownWithCode,
  type PlainTreeItem,
  treeItem,
} from '../../../../src/editor/text/shown.ts';
import { plainItems, window } from '../../../../src/editor/text/window.ts';
import { View } from '../../../../src/ids/ids.ts';
import { type Construct, constructs } from '../../../attack/constructs.ts';
import { closeEditors } from '../support/editors.ts';
import { attribute, dialog, hover, notification, press, text, texts, untilHovered, waitFor } from '../support/hands.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

/** VS Code shows nothing where there is nothing to see. */
const visible = constructs.filter(({ text }) => text.trim() !== '');

function batchesOf(size: number, from: readonly Construct[] = visible): (readonly Construct[])[] {
  return Array.from({ length: Math.ceil(from.length / size) }, (_, at) => from.slice(at * size, (at + 1) * size));
}

/** Texts of so many characters at most, made of whole constructs; the longest, alone, are cut by what shows them. */
function packed(length: number): string[] {
  const packs: string[] = [''];
  for (const { text } of visible) {
    const last = packs.at(-1) ?? '';
    if (last.length + text.length < length) packs[packs.length - 1] = `${last} ¶ ${text}`;
    else packs.push(text);
  }
  return packs.filter(Boolean);
}

/** Texts for tooltips: so many at most that are shown whole together, each cut to 200 characters. */
function tooltipsOf(most: number): string[][] {
  const packs: string[][] = [[]];
  for (const { text } of visible) {
    const short = plain(text, { length: 200 });
    const last = packs.at(-1) ?? [];
    if (last.length < most && [...last, short].join('\n\n').length < 900) last.push(short);
    else packs.push([short]);
  }
  return packs;
}

const moreThanText =
  ':is(a, img, b, strong, em, del, code, pre, h1, h2, ul, ol, blockquote, table, hr, svg, math, iframe, video, form, input, style, script, [class*="codicon-"], [onerror])';
/** Elements that are more than text, by the text in them. */
const drawnIn = (selector: string): Promise<string[]> => texts(`${selector} ${moreThanText}`);
/** Pictures by the text in them, apart from one that is ours: where VS Code itself draws a text as `a` or with other marks. */
const picturesIn = (selector: string, ours = 'none'): Promise<string[]> =>
  texts(`${selector} :is([class*="codicon-"]:not(.codicon-${ours}), img, svg)`);

/** A text without white space, which browsers and VS Code collapse, and the marks above letters, which it may compose. */
const bones = (text: string): string => text.replace(/\s+/g, '').normalize('NFC');

/** Holds that all texts are there, whole, with nothing else drawn in their place. */
function assertShown(shown: readonly string[], expected: readonly string[]): void {
  const all = shown.map(bones);
  const missing = expected.filter((text) => !all.some((each) => each.includes(bones(text))));
  assert.deepEqual(missing, [], `shown: ${JSON.stringify(shown).slice(0, 3_000)}`);
}

async function untilShown(selector: string, expected: readonly string[], drawn = drawnIn): Promise<void> {
  let shown: string[] = [];
  await until('all texts are shown', async () => {
    shown = await texts(selector);
    const all = shown.map(bones);
    return expected.every((text) => all.some((each) => each.includes(bones(text))));
  }).catch(() => assertShown(shown, expected));
  assert.deepEqual(await drawn(selector), []);
}

/** After this time VS Code is told of changed buttons once more, milliseconds: it gathers what it is told for some hundred. */
const patienceForLenses = 4_000;

describe('Injection', () => {
  before(() => notification.clear());
  afterEach(async () => {
    await press('Escape');
    await notification.clear();
    await closeEditors();
  });

  const message = '.notifications-center .notification-list-item-message';

  it('is seen by these tests where VS Code is given a text that was not made plain', async () => {
    void bare.showInformationMessage('[Show the invoice](command:workbench.action.terminal.new)');
    await notification.untilSaid('Show the invoice');
    assert.deepEqual(await drawnIn(message), ['Show the invoice']);
    const item = bare.createStatusBarItem('attack-control');
    item.text = 'gpt $(trash)';
    item.show();
    await waitFor('.statusbar-item[id$="attack-control"] .codicon-trash');
    assert.equal((await picturesIn('.statusbar-item[id$="attack-control"]')).length, 1);
    item.dispose();
  });

  it('through notifications makes no link and no icon', async () => {
    for (const batch of batchesOf(10)) {
      for (const [at, { text }] of batch.entries()) {
        const show = [window.showInformationMessage, window.showWarningMessage, window.showErrorMessage][at % 3];
        void show?.(text);
      }
      await commands.executeCommand('notifications.showList');
      await untilShown(
        message,
        batch.map(({ text }) => plain(text)),
      );
      await notification.clear();
    }
  });

  it('through the buttons of notifications and dialogs makes no icon, and each gives itself back', async () => {
    for (const { text: title } of visible.filter(({ name }) => name.startsWith('icon'))) {
      const chosen = window.showInformationMessage('Choose.', title);
      await commands.executeCommand('notifications.showList');
      const button = '.notifications-center .notification-list-item-buttons-container .monaco-button';
      await untilShown(button, [plain(title)], picturesIn);
      await press('Escape');
      await notification.clear();
      assert.equal(await chosen, undefined);
    }
    const [{ text: title } = { text: '' }] = visible.filter(({ name }) => name === 'icon: icon');
    const chosen = window.showInformationMessage('Choose.', { modal: true }, title);
    await untilShown('.monaco-dialog-box .dialog-buttons', [plain(title)], picturesIn);
    await dialog.press(plain(title));
    assert.equal(await chosen, title);
  });

  it('through progress makes no link and no icon', async () => {
    for (const batch of batchesOf(10)) {
      const ends: (() => void)[] = [];
      const running = batch.map(({ text }) =>
        window.withProgress({ location: ProgressLocation.Notification, title: 'Now' }, (progress) => {
          progress.report({ message: text });
          return new Promise<void>((resolve) => ends.push(resolve));
        }),
      );
      await commands.executeCommand('notifications.showList');
      await untilShown(
        message,
        batch.map(({ text }) => plain(text, { length: 900 })),
      );
      for (const end of ends) end();
      await Promise.all(running);
      await notification.clear();
    }
  });

  it('through the status bar and its tooltips makes no icon but ours', async () => {
    const items = Array.from({ length: 12 }, (_, at) => window.createStatusBarItem(`attack-${at}`));
    for (const batch of batchesOf(items.length)) {
      for (const [at, { text }] of batch.entries()) {
        const item = items[at];
        if (item === undefined) continue;
        item.text = withIcon('watch', plain(text, { length: 60 }));
        item.tooltip = plainLines(batch.map((each) => plain(each.text, { length: 200 })).join('\n'));
        item.show();
      }
      const label = '.statusbar-item[id*="attack-"] .statusbar-item-label';
      await until('all are shown', async () => {
        const shown = (await texts(label)).map(bones);
        return batch.every(({ text }) => shown.includes(bones(plain(text, { length: 60 }))));
      });
      assert.deepEqual(await picturesIn(label, 'watch'), []);
      await hover('.statusbar-item[id$="attack-0"]');
      await untilShown(
        '.monaco-hover',
        batch.map(({ text }) => plain(text, { length: 200 })),
      );
      await hover('.monaco-workbench .editor-container, .monaco-workbench .part.editor');
    }
    for (const item of items) item.dispose();
  });

  it('through lists to pick from makes no link and no icon', async () => {
    const pick = window.createQuickPick<{ label: string; description: string; detail: string; alwaysShow: boolean }>();
    for (const batch of batchesOf(6)) {
      pick.items = plainItems(
        batch.map(({ text }) => ({ label: text, description: text, detail: text, alwaysShow: true })),
      );
      pick.show();
      const row = '.quick-input-list .monaco-list-row';
      // A label of many characters is drawn as far as it can be seen.
      const starts = batch.map(({ text }) => plain(text, { length: 200 }).replace(/…$/, ''));
      await until('the rows are those', async () => (await texts(row)).length === batch.length);
      await untilShown(`${row} .quick-input-list-row:first-child .label-name`, starts, picturesIn);
      await untilShown(`${row} .quick-input-list-row:first-child .label-description`, starts, picturesIn);
      await untilShown(`${row} .quick-input-list-label-meta`, starts, picturesIn);
    }
    pick.dispose();
  });

  it('through boxes to type in makes no link and no icon', async () => {
    const box = window.createInputBox();
    box.show();
    for (const pack of packed(900)) {
      box.title = plain(pack);
      box.prompt = plain(pack);
      box.validationMessage = undefined;
      box.placeholder = plain(pack);
      await untilShown('.quick-input-title', [plain(pack)]);
      await untilShown('.quick-input-message', [plain(pack)]);
      assert.equal(await attribute('.quick-input-box input', 'placeholder'), plain(pack));
      box.validationMessage = plain(`! ${pack}`);
      await untilShown('.quick-input-message', [plain(`! ${pack}`)]);
    }
    box.dispose();
  });

  it('through dialogs makes no link and no icon', async () => {
    for (const batch of batchesOf(12)) {
      const [first = { name: '', text: '' }] = batch;
      const detail = batch.map(({ text }) => plain(text, { length: 100 })).join('\n');
      const asked = window.showWarningMessage(first.text, { modal: true, detail }, 'Go On');
      const container = '.monaco-dialog-box .dialog-message-container';
      await waitFor(container);
      await untilShown(container, [plain(first.text), ...batch.map(({ text }) => plain(text, { length: 100 }))]);
      await dialog.press('Cancel');
      assert.equal(await asked, undefined);
    }
  });

  it('through hovers, which are Markdown, makes no link, no image and no format', async () => {
    const document = await workspace.openTextDocument({ language: 'plaintext', content: 'attack' });
    let batch: readonly Construct[] = [];
    const provider = languages.registerHoverProvider(
      { language: 'plaintext' },
      {
        provideHover: () =>
          new Hover(
            batch.map(({ text }) => markdownOf(text)),
            new Range(0, 0, 0, 6),
          ),
      },
    );
    const editor = await bare.showTextDocument(document);
    editor.selection = new Selection(0, 1, 0, 1);
    for (const next of batchesOf(24)) {
      batch = next;
      await commands.executeCommand('editor.action.showHover');
      await untilShown(
        '.monaco-hover .hover-contents',
        next.map(({ text }) => plain(text).trim()),
      );
      await commands.executeCommand('editor.action.hideHover');
      await waitFor('.monaco-hover .hover-contents', { state: 'hidden' });
    }
    provider.dispose();
  });

  it('through hovers with code stays code', async () => {
    const document = await workspace.openTextDocument({ language: 'plaintext', content: 'attack' });
    let code = '';
    const provider = languages.registerHoverProvider(
      { language: 'plaintext' },
      {
        provideHover: () => new Hover(markdownWithCode('Proposed:', code, 'plaintext'), new Range(0, 0, 0, 6)),
      },
    );
    const editor = await bare.showTextDocument(document);
    editor.selection = new Selection(0, 1, 0, 1);
    for (const batch of batchesOf(24)) {
      code = batch.map(({ text }) => text.slice(0, 300)).join('\n');
      await commands.executeCommand('editor.action.showHover');
      await waitFor('.monaco-hover .monaco-tokenized-source');
      assert.deepEqual(await drawnIn('.monaco-hover .monaco-tokenized-source'), []);
      assert.equal((await texts('.monaco-hover .monaco-tokenized-source')).length, 1);
      await commands.executeCommand('editor.action.hideHover');
      await waitFor('.monaco-hover .hover-contents', { state: 'hidden' });
    }
    provider.dispose();
  });

  it('through the buttons above a line makes no icon but ours', async () => {
    const document = await workspace.openTextDocument({ language: 'plaintext', content: '\n'.repeat(30) });
    let batch: readonly Construct[] = [];
    const changed = new EventEmitter<void>();
    const provider = languages.registerCodeLensProvider(
      { language: 'plaintext' },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: () =>
          batch.map(({ text }, at) => codeLens(new Range(at, 0, at, 0), 'check', plain(text, { length: 60 }), 'noop')),
      },
    );
    await bare.showTextDocument(document);
    // A button draws icons, and neither links nor Markdown.
    const icons = visible.filter(({ name }) => /^icon/.test(name));
    for (let from = 0; from < icons.length; from += 8) {
      const next = icons.slice(from, from + 8);
      batch = next;
      // VS Code asks for them when it is told to, but for what it is told while it begins to draw an editor.
      let tellAt = 0;
      const lens = '.codelens-decoration';
      await until('all are shown', async () => {
        if (performance.now() >= tellAt) {
          changed.fire();
          tellAt = performance.now() + patienceForLenses;
        }
        const shown = (await texts(lens)).map(bones);
        return next.every(({ text }) => shown.includes(bones(plain(text, { length: 60 }))));
      });
      assert.deepEqual(await texts(`${lens} [class*="codicon-"]:not(.codicon-check)`), []);
    }
    provider.dispose();
    changed.dispose();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('through the title of a panel makes no icon', async () => {
    for (const { text: title } of visible.filter(({ name }) => /^icon/.test(name))) {
      const panel = window.createWebviewPanel('attack', plain(title), 1);
      await untilShown('.tab.active .label-name', [plain(title)]);
      panel.dispose();
    }
    assert.notEqual(await text('.monaco-workbench'), '');
  });

  // VS Code has these rows in the place of Parley's own from here on: they are the last tests of their window.
  describe('through the rows of a tree and their tooltips', () => {
    const changed = new EventEmitter<undefined>();
    let rows: readonly PlainTreeItem[];
    let tree: TreeView<PlainTreeItem>;
    const row = '[id="workbench.view.extension.parley"] .customview-tree .monaco-list-row';

    before(async () => {
      await subject().activate();
      rows = [
        Object.assign(new TreeItem('control'), { tooltip: new MarkdownString('[Pay](https://evil.test)') }),
      ] as PlainTreeItem[];
      const treeDataProvider = {
        onDidChangeTreeData: changed.event,
        getChildren: (row?: PlainTreeItem) => (row === undefined ? [...rows] : []),
        getTreeItem: (row: PlainTreeItem) => row,
      };
      tree = window.createTreeView<PlainTreeItem>(View.search, { treeDataProvider });
      await commands.executeCommand(`${View.search}.focus`);
    });
    after(() => tree.dispose());

    it('is seen where a tooltip was not made plain', async () => {
      await untilHovered(`${row} .label-name`, '.monaco-hover');
      assert.deepEqual(await drawnIn('.monaco-hover .hover-contents'), ['Pay']);
    });

    for (const [number, expected] of tooltipsOf(24).entries()) {
      it(`makes no link, no icon and no format: batch ${number + 1}`, async () => {
        // A hover of the row before may be there still, so each says whose it is.
        const tooltips = {
          [`Lines ${number}`]: plainLines([`Lines ${number}`, ...expected].join('\n')),
          [`Markdown ${number}`]: markdownOf([`Markdown ${number}`, ...expected].join('\n\n')),
        };
        rows = [...Object.entries(tooltips), ...expected.map((short) => [short, short])].map(([label = '', tooltip]) =>
          Object.assign(treeItem(plain(label)), { description: plain(label), tooltip }),
        ) as PlainTreeItem[];
        changed.fire(undefined);
        await until('the rows are those', async () => (await texts(row)).length === rows.length);
        await untilShown(`${row} .label-name`, expected, picturesIn);
        await untilShown(`${row} .label-description`, expected, picturesIn);
        for (const name of Object.keys(tooltips)) {
          const hovered = `.monaco-hover:has-text("${name}")`;
          await untilHovered(`${row}:has-text("${name}") .label-name`, hovered);
          await untilShown(hovered, expected);
        }
      });
    }
  });
});

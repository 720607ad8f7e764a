import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, env, Selection, type Terminal, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, visible, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const berths = 'src/berths.ts';
const signature = 'export function overlaps(a: Booking, from: string, until: string): boolean {';

describe('Code of an answer', () => {
  let service: ReferenceService;
  let folder: string;

  before(async () => {
    await subject().activate();
    folder = await mkdtemp(join(tmpdir(), 'parley-code-'));
  });

  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await notification.clear();
  });

  afterEach(async () => {
    await commands.executeCommand(Command.editRejectSet);
    for (const terminal of window.terminals) terminal.dispose();
    await until('all terminals are gone', () => window.terminals.length === 0);
    await notification.clear();
    await closeEditors();
    await service.close();
  });

  after(async () => {
    await disconnect();
    await rm(folder, { recursive: true });
  });

  /** Has an answer with a block of code, and presses a button of it. */
  async function press(label: string, language: string, code: string): Promise<void> {
    await commands.executeCommand(Command.chatAsk, `say: \`\`\`\`${language}\n${code}\n\`\`\`\``);
    await chat.open();
    await click(`.messages > :last-child .code [aria-label="${label}"]`, { frame });
  }

  async function openBerths() {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    return window.showTextDocument(Uri.joinPath(root.uri, berths));
  }

  describe('Apply', () => {
    const changed = [signature, '  return a.from < until;', '}'].join('\n');

    it('shows the change in the file that the code names, which was not open, and makes it on Accept alone', async () => {
      // VS Code brings this selection back with the file; it is not what the user means.
      const earlier = await openBerths();
      earlier.selection = new Selection(0, 0, 5, 0);
      await closeEditors();
      await press('Apply to File', `ts ${berths}`, changed);
      const editor = await until('the file is open', () =>
        window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith(berths)),
      );
      const { document } = editor;
      const before = document.getText();
      await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
      assert.equal(document.isDirty, false);
      await commands.executeCommand(Command.editAcceptFile);
      const lines = before.split('\n');
      const at = lines.indexOf(signature);
      lines.splice(at, 3, ...changed.split('\n'));
      assert.equal(document.getText(), lines.join('\n'));
    });

    it('puts declarations that the file does not have behind the one of the cursor, and takes no line away', async () => {
      const editor = await openBerths();
      const { document } = editor;
      const before = document.getText();
      editor.selection = new Selection(2, 0, 2, 0);
      await press('Apply to File', 'ts', 'const harbour = 1;\nconst tide = 2;');
      await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
      await commands.executeCommand(Command.editAcceptFile);
      const lines = before.split('\n');
      lines.splice(lines.indexOf('}') + 1, 0, '', 'const harbour = 1;', 'const tide = 2;');
      assert.equal(document.getText(), lines.join('\n'));
    });

    it('puts back what code leaves out', async () => {
      const { document } = await openBerths();
      const before = document.getText();
      await press('Apply to File', 'ts', `${signature} // checked\n  // ... existing code\n}`);
      await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
      await commands.executeCommand(Command.editAcceptFile);
      assert.equal(document.getText(), before.replace(signature, `${signature} // checked`));
    });

    it('asks about code whose place nobody can tell, has no button for a diff of a file that is not there, and adds to what waits', async () => {
      const { document } = await openBerths();
      const before = document.getText();
      await press('Apply to File', 'ts', '// ...\nadded(1);\n// ... rest unchanged');
      await notification.untilSaid('The place of 1 block is not sure');
      await notification.clear();
      assert.equal(document.getText(), before);
      await press('Copy', 'diff', '--- a/src/no/such.ts\n+++ b/src/no/such.ts\n@@ -1 +1 @@\n-x\n+y');
      const apply = '.messages > :last-child .apply-code';
      assert.equal(await visible(apply, { frame }), false);
      await press('Copy', 'diff', `--- a/${berths}\n+++ b/${berths}\n@@ -1 +1 @@\n-x\n+y`);
      await until('a diff of a file that is there has the button', () => visible(apply, { frame }));
      await press('Apply to File', `ts ${berths}`, changed);
      await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
      const waiting = (await lensTitles(document.uri))[0];
      await press('Apply to File', `ts ${berths}`, 'export const HARBOUR_DUES = 1;');
      await until('there are more', async () => (await lensTitles(document.uri))[0] !== waiting);
      await commands.executeCommand(Command.editRejectSet);
      await until('the first is left', async () => (await lensTitles(document.uri))[0] === waiting);
      await commands.executeCommand(Command.editRejectSet);
      await until('it is gone', async () => (await lensTitles(document.uri)).length === 0);
      assert.equal(document.getText(), before);
    });

    it('shows code for a file that is not there as a new file, whatever is open', async () => {
      const { document } = await openBerths();
      const before = document.getText();
      for (const path of ['src/no/such.ts', 'suchUtils.ts']) {
        await press('Apply to File', `ts ${path}`, 'export const such = 1;');
        const review = await until('the review', () =>
          workspace.textDocuments.find(
            ({ uri, isClosed }) =>
              !isClosed && uri.scheme === 'parley-edit' && decodeURIComponent(uri.query).endsWith(path),
          ),
        );
        assert.equal(review.getText().trim(), 'export const such = 1;');
        await commands.executeCommand(Command.editRejectSet);
        await closeEditors();
        await openBerths();
      }
      assert.equal(document.getText(), before);
    });

    it('finds the file by its place on this machine or another, and never takes the open one for one that is not understood', async () => {
      const { document } = await openBerths();
      const before = document.getText();
      const [root] = workspace.workspaceFolders ?? [];
      const name = root?.uri.path.split('/').at(-1);
      await closeEditors();
      for (const path of [document.uri.fsPath, `C:\\work\\${name}\\${berths.replaceAll('/', '\\')}`]) {
        await press('Apply to File', 'ts', `// ${path}\n${changed}`);
        await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
        await commands.executeCommand(Command.editRejectSet);
        await until('it is offered no more', async () => (await lensTitles(document.uri)).length === 0);
        await closeEditors();
      }
      await openBerths();
      for (const path of ['../../elsewhere/tide.ts', '/no/such/tide.ts']) {
        await press('Apply to File', 'ts', `// filepath: ${path}\n${changed}`);
        await notification.untilSaid(`The answer names “${path}” for this code`);
        assert.deepEqual(await lensTitles(document.uri), []);
        await notification.clear();
      }
      await press('Apply to File', 'ts', `// filepath: ../tide.ts\n${changed}`);
      await notification.untilSaid('The answer names “../tide.ts” for this code');
      await notification.press('Apply to berths.ts');
      await until('it is offered', async () => (await lensTitles(document.uri)).includes('Accept All'));
      await commands.executeCommand(Command.editRejectSet);
      assert.equal(document.getText(), before);
    });

    it('says that nothing is open to apply to', async () => {
      await press('Apply to File', 'ts', 'const a = 1;');
      await notification.untilSaid('No editor is open to apply to');
    });
  });

  it('opens in a new document of its language', async () => {
    await press('New File', 'py', 'print(1)\n$(touch x)');
    const editor = await until('it is open', () => window.activeTextEditor);
    assert.equal(editor.document.isUntitled, true);
    assert.equal(editor.document.languageId, 'python');
    assert.equal(editor.document.getText(), 'print(1)\n$(touch x)');
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await press('New File', '__proto__', 'x');
    await until('it is open', () => window.activeTextEditor?.document.getText() === 'x');
  });

  it('is drawn by VS Code as the diagram that it describes, in a preview that leaves nothing to save', async () => {
    await press('Open in Preview', 'mermaid', 'flowchart TD\n  Quay --> Berth');
    const preview = { extension: 'vscode.markdown-language-features', frame: '.mermaid, .code-line' };
    await waitFor('svg:has-text("Quay")', { ...preview, timeout: 60_000 });
    assert.deepEqual(
      workspace.textDocuments.filter(({ isDirty, isUntitled }) => isDirty || isUntitled),
      [],
    );
  });

  describe('Run in Terminal', () => {
    let count = 0;
    /** A file that is there only if something ran. */
    const newMark = (): string => join(folder, `ran-${++count}`);

    /** All that the terminal shows, in one line. */
    async function shown(): Promise<string> {
      await commands.executeCommand('workbench.action.terminal.selectAll');
      await commands.executeCommand('workbench.action.terminal.copySelection');
      await commands.executeCommand('workbench.action.terminal.clearSelection');
      return (await env.clipboard.readText()).replaceAll(/\s+/g, '');
    }

    async function untilTyped(text: string): Promise<Terminal> {
      const terminal = await until('a terminal is open', () => window.activeTerminal);
      await until('it shows the code', async () => (await shown()).includes(text.replaceAll(/\s+/g, '')));
      return terminal;
    }

    const button = 'Run in Terminal (Without Enter)';

    it('puts the commands there as one line, which runs on Enter and not before', async () => {
      const [first, second] = [newMark(), newMark()];
      await press(button, 'bash', `# both\n\ttouch ${first}\rtouch ${second}\r\n\r\n`);
      const terminal = await untilTyped(`touch ${first} && touch ${second}`);
      assert.equal(existsSync(first), false);
      // Whatever a shell does with the keys it was sent before, it has done when it answers to this one.
      terminal.sendText('', true);
      await until('both have run', () => existsSync(first) && existsSync(second));
    });

    for (const [name, code] of [
      ['the end of a paste', (mark: string) => `\u001B[201~touch ${mark}\r\u001B[200~`],
      ['a key that accepts the line', (mark: string) => `touch ${mark}\u000F`],
      ['line separators', (mark: string) => `touch ${mark}\u2028\u2029\u0085`],
      ['marks that turn the text', (mark: string) => `echo \u202Etouch ${mark}\u202C`],
    ] as const) {
      it(`is not used for code with ${name}`, async () => {
        const mark = newMark();
        await press(button, 'sh', code(mark));
        await notification.untilSaid('characters that cannot be seen');
        assert.deepEqual(window.terminals, []);
        assert.equal(existsSync(mark), false);
      });
    }

    it('leaves lines that belong together to the clipboard and to the user', async () => {
      const mark = newMark();
      const code = `if true; then\n  touch ${mark}\nfi`;
      await press(button, 'bash', code);
      await notification.untilSaid('they are in the clipboard');
      assert.equal(await env.clipboard.readText(), code);
      const terminal = await until('a terminal is open', () => window.activeTerminal);
      const done = newMark();
      terminal.sendText(`touch ${done}`, true);
      await until('the shell has run what came after', () => existsSync(done));
      assert.equal(existsSync(mark), false);
    });
  });
});

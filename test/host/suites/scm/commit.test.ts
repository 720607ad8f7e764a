import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, Uri, workspace } from 'vscode';
import { ServiceError } from '../../../../src/base/errors.ts';
import type { Notices } from '../../../../src/editor/notices.ts';
import { findGit, type GitApi, type GitRepository } from '../../../../src/scm/ui/commit/gitExtension.ts';
import { readToCommit } from '../../../../src/scm/ui/commit/readToCommit.ts';
import type { WorkspaceFiles } from '../../../../src/workspace/workspaceFiles.ts';
import { git } from '../../../attack/gitPrograms.ts';
import type { RecordedRequest, ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { click, hover, notification, press, quickPick, type, waitFor } from '../support/hands.ts';
import { connectToScripted, type ScriptedService, startScripted, streamed } from '../support/scriptedService.ts';
import { connectTo, disconnect, setting, startService, systemMessage } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const generate = 'parley.scm.commitMessage';
const stop = 'parley.scm.stopCommitMessage';
const held = 'word1 word2 word3';

/** Another repository, within the folder of the first. */
const inner = 'boathouse';

describe('Generate Commit Message', () => {
  let service: ReferenceService;
  let api: GitApi;
  let root: string;
  let repository: GitRepository;

  before(async () => {
    await subject().activate();
    service = await startService();
    root = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    api = await until('git', findGit);
    repository = await opened(root);
    await commands.executeCommand('workbench.view.scm');
  });

  beforeEach(async () => {
    await connectTo(service);
    stage('tides.ts', 'export const tides = 2;\n');
  });

  afterEach(async () => {
    service.setFault(undefined);
    service.release();
    await commands.executeCommand(stop);
    await notification.clear();
    repository.inputBox.value = '';
    git(root, 'reset', '-q', '--hard');
    git(root, 'clean', '-fdq', '-e', inner);
  });

  after(async () => {
    await commands.executeCommand('workbench.view.explorer');
    await disconnect();
    await service.close();
  });

  const opened = (path: string): Promise<GitRepository> =>
    until(`git has opened ${path}`, () => api.repositories.find(({ rootUri }) => rootUri.fsPath === path));

  function stage(path: string, text: string, at = root): void {
    writeFileSync(join(at, path), text);
    git(at, 'add', '-f', path);
  }

  const untilBoxHas = (text: string, of = repository): Promise<unknown> =>
    until(`the box has “${text}”`, () => of.inputBox.value === text);

  const questionOf = ({ body }: RecordedRequest): string =>
    (body as { messages: { content: string }[] }).messages[1]?.content ?? '';

  /** Presses a button in the title of the repository, which is shown when the mouse is there. */
  async function pressButton(title: string): Promise<void> {
    const button = `.scm-viewlet .pane-header .action-label[aria-label^="${title}"]`;
    await until(`the button “${title}” is pressed`, async () => {
      await hover(`.scm-viewlet .pane-header:has(.action-label[aria-label^="${title}"])`, { timeout: 5_000 }).catch(
        () => {},
      );
      return click(button, { timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  async function untilAborted(from: number): Promise<void> {
    await service.waitForRequest((each) => each.aborted && service.requests.indexOf(each) >= from);
  }

  it('writes a message for what is staged into the box, by the button in the title', async () => {
    writeFileSync(join(root, 'not-staged.ts'), 'export const notStaged = 1;\n');
    repository.inputBox.value = 'say: Add the tide table\n\nIt is read at night.';
    const count = service.requests.length;
    await pressButton('Generate Commit Message');
    await untilBoxHas('Add the tide table\n\nIt is read at night.');
    const [request, ...others] = service.requests.slice(count);
    assert.ok(request !== undefined && others.length === 0);
    const question = questionOf(request);
    assert.match(question, /^The last commits here; write in their style and language:\n- The harbour\n/);
    assert.match(question, /\n\+\+\+ b\/tides\.ts\n@@ -0,0 \+1 @@\n\+export const tides = 2;\n/);
    assert.ok(!question.includes('notStaged'));
    assert.deepEqual(await notification.texts(), []);
  });

  it('sends the instructions of the workspace along', async () => {
    writeFileSync(join(root, 'AGENTS.md'), 'Name boats after stars.');
    repository.inputBox.value = 'say: Add the tide table';
    await commands.executeCommand(generate, repository);
    assert.match(systemMessage(service), /from AGENTS\.md:\n\nName boats after stars\.$/);
  });

  it('shows the words as they come; Stop takes the place of the button, closes the socket, and keeps what came', async () => {
    service.setFault('hold');
    repository.inputBox.value = 'count to 9';
    const count = service.requests.length;
    const running = commands.executeCommand(generate, repository);
    await untilBoxHas(held);
    await pressButton('Stop Commit Message');
    await running;
    await untilAborted(count);
    assert.equal(repository.inputBox.value, held);
    await waitFor('.scm-viewlet .action-label[aria-label^="Generate Commit Message"]');
    assert.deepEqual(await notification.texts(), []);
  });

  it('stops when the command is called again', async () => {
    service.setFault('hold');
    repository.inputBox.value = 'count to 9';
    const count = service.requests.length;
    const running = commands.executeCommand(generate, repository);
    await untilBoxHas(held);
    await commands.executeCommand(generate, repository);
    await running;
    await untilAborted(count);
    assert.equal(service.requests.length, count + 1);
    assert.equal(repository.inputBox.value, held);
  });

  it('stops when the user types into the box, and leaves what was typed', async () => {
    service.setFault('hold');
    repository.inputBox.value = 'count to 9';
    const count = service.requests.length;
    const running = commands.executeCommand(generate, repository);
    await untilBoxHas(held);
    await click('.scm-viewlet .scm-editor');
    await press('Control+End');
    await type(', and mine');
    await running;
    await untilAborted(count);
    await untilBoxHas(`${held}, and mine`);
    assert.deepEqual(await notification.texts(), []);
  });

  it('loses nothing of what is typed while words come', async () => {
    const quick = await startService({ tokenDelayMs: 7 });
    try {
      await connectTo(quick);
      for (const typed of ['QXYZKV', 'mine', 'and more']) {
        repository.inputBox.value = 'count to 5000';
        const running = commands.executeCommand(generate, repository);
        await until('words come', () => repository.inputBox.value.startsWith('word1 word2'));
        await click('.scm-viewlet .scm-editor');
        await press('Control+End');
        await type(typed);
        await running;
        await until('all that was typed is there', () => repository.inputBox.value.includes(typed));
        await until('its socket is closed', () => quick.requests.at(-1)?.aborted);
      }
    } finally {
      await quick.close();
    }
  });

  it('leaves what was typed before the first word came', async () => {
    service.setFault('slow-first-byte');
    const count = service.requests.length;
    const running = commands.executeCommand(generate, repository);
    await until('the question', () => service.requests.length > count);
    await click('.scm-viewlet .scm-editor');
    await type('mine');
    await running;
    await untilAborted(count);
    await untilBoxHas('mine');
  });

  for (const [fault, sentence] of [
    ['401', 'did not accept the API key.'],
    ['cut', 'The answer was cut off before its end.'],
  ] as const) {
    it(`puts back what stood there after an error (${fault}), and says what happened`, async () => {
      service.setFault(fault);
      repository.inputBox.value = 'count to 9';
      await commands.executeCommand(generate, repository);
      await notification.untilSaid(sentence);
      await untilBoxHas('count to 9');
    });
  }

  it('puts back what stood there when the model declines, and says so in its words', async () => {
    repository.inputBox.value = 'decline: that would be unkind';
    await commands.executeCommand(generate, repository);
    assert.match(await notification.untilSaid('The model declined to do this.'), /that would be unkind/);
    await untilBoxHas('decline: that would be unkind');
  });

  it('asks again with the words of the author, not with the message that was written last', async () => {
    repository.inputBox.value = 'say: Add the tide table';
    await commands.executeCommand(generate, repository);
    await untilBoxHas('Add the tide table');
    await commands.executeCommand(generate, repository);
    const request = service.requests.at(-1);
    assert.ok(request !== undefined && questionOf(request).endsWith('\nsay: Add the tide table'));
    await untilBoxHas('Add the tide table');
    repository.inputBox.value = 'say: Add the tide table, mine';
    await commands.executeCommand(generate, repository);
    await untilBoxHas('Add the tide table, mine');
  });

  it('is offered for all changes where nothing is staged, without secrets, and stages nothing', async () => {
    git(root, 'reset', '-q');
    const count = service.requests.length;
    writeFileSync(join(root, 'untracked.ts'), 'export const ebb = 1;\n');
    writeFileSync(join(root, 'id_rsa'), 'geheim\n');
    repository.inputBox.value = '';
    await commands.executeCommand(generate, repository);
    await notification.untilSaid('Nothing is staged.');
    assert.equal(service.requests.length, count);
    await notification.press('Write for All Changes');
    await until('it is written', () => repository.inputBox.value !== '');
    const question = questionOf(service.requests[count] ?? assert.fail('nothing was sent'));
    assert.match(question, /tides\.ts/);
    assert.match(question, /untracked\.ts/);
    assert.match(question, /1 more file changed/);
    assert.doesNotMatch(JSON.stringify(service.requests[count]?.body), /geheim|\.env|id_rsa/);
    assert.equal(git(root, 'diff', '--cached', '--name-only'), '', 'nothing is staged by it');
    // As VS Code commits without a question, and only what git tracks.
    await workspace.getConfiguration('git').update('enableSmartCommit', true, true);
    await workspace.getConfiguration('git').update('smartCommitChanges', 'tracked', true);
    git(root, 'add', 'tides.ts');
    git(root, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'Tides');
    writeFileSync(join(root, 'tides.ts'), 'export const tides = 3;\n');
    await commands.executeCommand(generate, repository);
    const tracked = questionOf(service.requests[count + 1] ?? assert.fail('nothing was sent'));
    assert.match(tracked, /-export const tides = 2;\n\+export const tides = 3;/);
    assert.doesNotMatch(tracked, /untracked\.ts/);
    git(root, 'reset', '-q', 'HEAD~1');
    for (const name of ['enableSmartCommit', 'smartCommitChanges'])
      await workspace.getConfiguration('git').update(name, undefined, true);
  });

  it('keeps secrets at home, by name and by content, and says how many files it did not show', async () => {
    stage('.env', 'PASSWORD=geheim\n');
    stage('settings.ts', `const apiKey = '${'sk-proj-'}Zk3V9xQ2mN7bT5rL8wP1cY6dF4hJ0sGa';\n`);
    const count = service.requests.length;
    await commands.executeCommand(generate, repository);
    const request = service.requests[count];
    assert.ok(request !== undefined);
    assert.match(questionOf(request), /\n\n2 more files changed\.\n\n/);
    assert.match(questionOf(request), /tides/);
    assert.doesNotMatch(JSON.stringify(request.body), /geheim|\.env|settings|sk-proj/);
    git(root, 'rm', '-q', '--cached', 'tides.ts');
    await commands.executeCommand(generate, repository);
    await notification.untilSaid('Nothing was sent: the files that are staged hold secrets');
    assert.equal(service.requests.length, count + 1);
  });

  it('opens source control when it is called from the palette', async () => {
    await commands.executeCommand('workbench.view.explorer');
    repository.inputBox.value = 'say: From the palette';
    await commands.executeCommand(generate);
    await untilBoxHas('From the palette');
    await waitFor('.scm-viewlet .scm-editor');
  });

  it('writes where source control is not shown, too', async () => {
    await commands.executeCommand('workbench.view.explorer');
    repository.inputBox.value = 'say: Out of sight';
    await commands.executeCommand(generate, repository);
    await untilBoxHas('Out of sight');
    await commands.executeCommand('workbench.view.scm');
    await waitFor('.scm-viewlet .scm-editor:has-text("Out of sight")');
  });

  it('asks for a connection first', async () => {
    await disconnect();
    await commands.executeCommand(generate, repository);
    await notification.untilSaid('No service is connected yet.');
  });

  describe('with a model that answers in its own way', () => {
    let model: ScriptedService;

    before(async () => {
      model = await startScripted();
    });
    beforeEach(async () => {
      await connectToScripted(model);
      await setting('parley.chat.model', 'm');
    });
    after(() => model.close());

    const says = (pieces: readonly string[], reason = 'stop') =>
      model.answer(
        streamed(
          [
            ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
            { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
            '[DONE]',
          ],
          (response) => response.end(),
        ),
      );

    it('takes off thoughts, an introduction, a fence and what cannot be seen', async () => {
      says([
        '<thi',
        'nk>x</think>\nHere is a commit mess',
        'age:\n\n``',
        '`\nAdd\u202E ti',
        'des\u200B\n\nBody\n``',
        '`\n',
      ]);
      await commands.executeCommand(generate, repository);
      await untilBoxHas('Add tides\n\nBody');
    });

    it('keeps a message that the token limit cut off, and says so', async () => {
      // Both begin with the same half of a character.
      repository.inputBox.value = '👨 tides';
      says(['👩', ' tides and'], 'length');
      await commands.executeCommand(generate, repository);
      await notification.untilSaid('The commit message is not complete: the model reached its token limit.');
      await untilBoxHas('👩 tides and');
    });

    it('puts back what stood there when the model refuses in words', async () => {
      repository.inputBox.value = 'mine';
      says(['I’m sorry, but I can’t', ' help with that.']);
      await commands.executeCommand(generate, repository);
      await notification.untilSaid('The model declined to do this.');
      await untilBoxHas('mine');
    });

    it('asks with less where the model cannot read as much', async () => {
      stage('long.ts', 'export const long = 1;\n'.repeat(3_000));
      model.answer((response, body) => {
        const isLong = JSON.stringify(body).length > 20_000;
        if (!isLong)
          return streamed(
            [{ choices: [{ index: 0, delta: { content: 'Add it' }, finish_reason: 'stop' }] }, '[DONE]'],
            (end) => end.end(),
          )(response, body);
        const error = {
          message: "This model's maximum context length is 4096 tokens.",
          code: 'context_length_exceeded',
        };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      });
      await commands.executeCommand(generate, repository);
      await untilBoxHas('Add it');
      const [first, second] = model.bodies.slice(-2).map((body) => JSON.stringify(body));
      assert.ok(first !== undefined && second !== undefined && first.length < 50_000);
      assert.match(second, /more lines of this file are not shown/);
      assert.match(second, /tides = 2/);
    });
  });

  describe('in two repositories', () => {
    let second: GitRepository;
    const path = (): string => join(root, inner);

    before(async () => {
      mkdirSync(path());
      git(path(), 'init', '-q', '-b', 'main');
      await commands.executeCommand('git.openRepository', path());
      second = await opened(path());
    });
    beforeEach(() => stage('oars.ts', 'export const oars = 2;\n', path()));
    afterEach(() => {
      second.inputBox.value = '';
    });
    after(async () => {
      await commands.executeCommand('git.close', second.rootUri);
      rmSync(path(), { recursive: true, force: true });
    });

    it('writes into each its own, at the same time, and stops one alone', async () => {
      service.setFault('hold');
      repository.inputBox.value = 'count to 8';
      second.inputBox.value = 'count to 9';
      const count = service.requests.length;
      const first = commands.executeCommand(generate, { rootUri: repository.rootUri });
      const other = commands.executeCommand(generate, { rootUri: second.rootUri });
      await untilBoxHas(held);
      await untilBoxHas(held, second);
      await commands.executeCommand(stop, { rootUri: repository.rootUri });
      await first;
      await untilAborted(count);
      service.release();
      await other;
      await untilBoxHas(held);
      await untilBoxHas(Array.from({ length: 9 }, (_, i) => `word${i + 1}`).join(' '), second);
      const questions = service.requests.slice(count).map(questionOf);
      assert.equal(questions.filter((each) => each.includes('oars') && !each.includes('tides')).length, 1);
      assert.equal(questions.filter((each) => each.includes('tides') && !each.includes('oars')).length, 1);
    });

    it('asks in the palette which one, and takes that of the active editor without asking', async () => {
      await closeEditors();
      second.inputBox.value = 'say: Add the oars';
      const running = commands.executeCommand(generate);
      await quickPick.untilAsked('Repository to write a commit message for');
      await quickPick.choose(inner);
      await running;
      await untilBoxHas('Add the oars', second);
      await commands.executeCommand('vscode.open', Uri.file(join(path(), 'oars.ts')));
      second.inputBox.value = 'say: Add them again';
      await commands.executeCommand(generate);
      await untilBoxHas('Add them again', second);
      await closeEditors();
    });
  });

  describe('while the last commits are read', () => {
    const change = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n';
    const notices = {} as Notices;

    /** Files whose last subjects do not come before they are stopped. */
    function heldFiles(): { readonly files: WorkspaceFiles; readonly asked: Promise<void> } {
      let tell = (): void => {};
      const asked = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const diff = { kind: 'diff', text: `diff --git a/a.ts b/a.ts\n${change}`, gaps: [] } as const;
      const files: WorkspaceFiles = {
        list: async () => [],
        isSecretName: () => false,
        diff: async () => [],
        diffIn: async () => diff,
        branches: async () => [],
        secretLine: () => undefined,
        lastSubjects: (_root, _count, signal) => {
          tell();
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new ServiceError('cancelled')));
          });
        },
      };
      return { files, asked };
    }

    it('stops, though git does not answer', async () => {
      const { files, asked } = heldFiles();
      const run = new AbortController();
      const reading = readToCommit(files, repository, { notices, isAll: false }, run.signal);
      await asked;
      run.abort();
      await assert.rejects(reading, { kind: 'cancelled' });
    });

    it('goes on without them where git takes too long', async () => {
      const { files, asked } = heldFiles();
      const late = new AbortController();
      const { timeout } = AbortSignal;
      AbortSignal.timeout = () => late.signal;
      try {
        const reading = readToCommit(files, repository, { notices, isAll: false }, new AbortController().signal);
        await asked;
        late.abort();
        assert.deepEqual((await reading)?.subjects, []);
      } finally {
        AbortSignal.timeout = timeout;
      }
    });
  });
});

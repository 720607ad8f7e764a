import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  commands,
  Diagnostic,
  DiagnosticSeverity,
  env,
  languages,
  Range,
  Selection,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame, setField } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  attribute,
  axe,
  click,
  fill,
  inputBox,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  type,
  value,
  visible,
  waitFor,
} from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const root = (): string => workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Writes a file of the workspace, as another program would. */
function write(path: string, content: string): void {
  mkdirSync(dirname(join(root(), path)), { recursive: true });
  writeFileSync(join(root(), path), content);
}

/** The instructions and prompts that the tests leave in the workspace. */
function tidy(): void {
  for (const path of ['.parley', 'AGENTS.md', '.github']) rmSync(join(root(), path), { recursive: true, force: true });
}

const bodies = (service: ReferenceService) =>
  service.requests
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => body as { model: string; messages: { role: string; content: string }[]; temperature?: number });
const chips = (): Promise<string[]> =>
  texts('.composer .chips[aria-label="Instructions of the workspace"] .chip', { frame });
/** Types into the message box, as a user does. */
async function typeInto(words: string): Promise<void> {
  await chat.open();
  await fill('.box', '', { frame });
  await click('.box', { frame });
  await type(words);
}

/** Sends the name of a prompt alone. What follows the name closes the list of choices, where Enter would choose. */
const ask = (name: string): Promise<void> => chat.ask(`${name} `);

describe('Prompts and instructions', () => {
  let service: ReferenceService;
  const last = () => bodies(service).at(-1);
  const question = (): string => last()?.messages.at(-1)?.content ?? '';
  const system = (): string => last()?.messages.find(({ role }) => role === 'system')?.content ?? '';

  before(async () => {
    await subject().activate();
  });
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', { frame });
    await notification.clear();
  });
  afterEach(async () => {
    await press('Escape');
    await commands.executeCommand(Command.chatStop);
    await service.close();
    await closeEditors();
    tidy();
  });
  after(disconnect);

  async function select(path = 'src/berths.ts', lines = new Selection(26, 0, 28, 1)): Promise<TextEditor> {
    const editor = await window.showTextDocument(Uri.file(join(root(), path)));
    editor.selection = lines;
    return editor;
  }

  describe('a prompt', () => {
    it('is listed while its name is typed, chosen, and sent with its variables filled in', async () => {
      write(
        '.parley/prompts/review.md',
        '---\ndescription: Looks for {{flaws}}\n---\nsay: look at {{language}} for {{input}}\n\n{{selection}}',
      );
      await select();
      await typeInto('/');
      await until('all are listed', async () => {
        const labels = await texts('.completion-label', { frame });
        return ['document', 'explain', 'fix', 'review', 'write-tests', 'New Prompt…'].every((each) =>
          labels.includes(each),
        );
      });
      await screenshot('prompts-listed');
      assert.deepEqual(await axe(frame), []);
      await type('rev');
      await until('one is left', async () => (await texts('.completion-label', { frame })).join() === 'review');
      assert.match(await text('.completion-detail', { frame }), /^Looks for \{\{flaws\}\} · /);
      // Whoever types on at once has it before their words.
      await press('Enter');
      await type('races');
      await press('Enter');
      await chat.untilAnswered('look at typescript for races');
      assert.match(
        question(),
        /^say: look at typescript for races\n\nFrom src\/berths\.ts, lines 27 to 29:\n\n```typescript\nexport function overlaps/,
      );
      assert.match(await text('.question-label', { frame }), /^\/review \(.+\) races$/);
      assert.deepEqual(await texts('.question .chip-label', { frame }), ['berths.ts:27-29']);
      await screenshot('prompts-used');
    });

    it('is not sent while something of it is missing; the words stay in the box', async () => {
      await closeEditors();
      await chat.ask('/explain in one line');
      await notification.untilSaid('“/explain” is about the selection, and nothing is selected.');
      await until(
        'the words are back',
        async () => (await value('.composer .box', { frame })) === '/explain in one line',
      );
      assert.equal(bodies(service).length, 0);
      await select();
      await chat.ask('/explain in one line');
      await chat.untilAnswered();
      assert.match(question(), /^Explain this code.*\n\nin one line\n\nFrom src\/berths\.ts/s);
    });

    it('keeps what is no variable of Parley, and says so', async () => {
      write('.parley/prompts/template.md', 'say: {{who}} {{input}}');
      await chat.ask('/template {{file}}');
      await chat.untilAnswered('{{who}} {{file}}');
      await notification.untilSaid('“/template” has {{who}}, which is no variable of Parley');
    });

    it('tells the problems of the open file', async () => {
      write('.parley/prompts/problems.md', 'say: these\n{{problems}}');
      await select('src/berths.ts');
      await ask('/problems');
      await notification.untilSaid('“/problems” is about the problems of the open file, and it has none.');
      const collection = languages.createDiagnosticCollection('suite');
      const { uri } = window.activeTextEditor?.document ?? assert.fail();
      const problem = (line: number, words: string, severity: DiagnosticSeverity) =>
        new Diagnostic(new Range(line, 0, line, 5), words, severity);
      collection.set(uri, [
        problem(3, 'is slow', DiagnosticSeverity.Warning),
        problem(27, 'is\nwrong', DiagnosticSeverity.Error),
      ]);
      await ask('/problems');
      await chat.untilAnswered('is slow');
      collection.dispose();
      assert.equal(
        question(),
        'say: these\n- berths.ts, line 28: error: is wrong\n- berths.ts, line 4: warning: is slow',
      );
    });

    it('is a question like any other where no prompt has the name', async () => {
      await chat.ask('/etc/hosts say: nothing');
      await chat.untilAnswered();
      assert.equal(question(), '/etc/hosts say: nothing');
    });

    it('of the user is made by a command, and one of the workspace stands in for it', async () => {
      const making = commands.executeCommand(Command.promptsNew);
      await quickPick.choose('For Me');
      await inputBox.enter('my greeting', 'New Prompt');
      await making;
      const document = window.activeTextEditor?.document;
      assert.ok(document);
      assert.match(document.uri.path, /\/prompts\/my-greeting\.md$/);
      assert.match(document.getText(), /^---\ndescription: .+\n---\n/);
      writeFileSync(document.uri.fsPath, 'say: from me');
      try {
        await ask('/my-greeting');
        await chat.untilAnswered('from me');
        assert.equal(await text('.question-label', { frame }), '/my-greeting');
        write('.parley/prompts/my-greeting.md', 'say: from us');
        await ask('/my-greeting');
        await chat.untilAnswered('from us');
      } finally {
        rmSync(document.uri.fsPath);
      }
    });

    it('of the user stands in a folder that a command opens', async () => {
      const opening = commands.executeCommand(Command.promptsOpenFolder);
      await waitFor('.quick-input-widget .quick-input-title:text-is("My Prompts")');
      await until('the folder is shown', async () => /parley\.parley\/prompts\/?$/.test(await inputBox.value()));
      await press('Escape');
      await opening;
    });

    it('of the workspace is none that a link leads out of it to', async () => {
      mkdirSync(join(root(), '.parley', 'prompts'), { recursive: true });
      const outside = join(root(), '..', 'outside.md');
      writeFileSync(outside, 'say: from elsewhere');
      symlinkSync(outside, join(root(), '.parley', 'prompts', 'linked.md'));
      await chat.ask('/linked say: as it is');
      await chat.untilAnswered();
      assert.equal(question(), '/linked say: as it is');
      rmSync(outside);
    });

    it('stands in for a command on a selection, which goes along whatever the prompt says', async () => {
      write('.parley/prompts/explain.md', 'say: explained our way');
      await select();
      await commands.executeCommand(Command.selectionExplain);
      await chat.untilAnswered('explained our way');
      assert.match(question(), /^say: explained our way\n\nFrom src\/berths\.ts, lines 27 to 29:/);
      assert.match(await text('.question-label', { frame }), /^\/explain \(.+\)$/);
      tidy();
      await commands.executeCommand(Command.selectionExplain);
      await until('the built-in one is asked', () => /^Explain this code/.test(question()));
      await until('it is named', async () => (await texts('.question-label', { frame })).at(-1) === 'Explain');
    });
  });

  describe('AGENTS.md', () => {
    it('goes along as instructions, as it is now, until its chip is removed', async () => {
      write('AGENTS.md', 'Answer in verse.');
      write('.github/copilot-instructions.md', 'Use no adverbs.');
      await until('both are shown', async () => (await chips()).length === 2);
      assert.deepEqual(await chips(), ['AGENTS.md', '.github/copilot-instructions.md']);
      await screenshot('instructions');
      await chat.ask('say: one');
      await chat.untilAnswered('one');
      assert.match(
        system(),
        /from AGENTS\.md:\n\nAnswer in verse\.\n\n.+ from \.github\/copilot-instructions\.md:\n\nUse no adverbs\.$/,
      );
      write('AGENTS.md', 'Answer in prose.');
      await chat.ask('say: two');
      await chat.untilAnswered('two');
      assert.match(system(), /Answer in prose\./);
      await click('.composer .chip [aria-label="Remove AGENTS.md"]', { frame });
      await until('it is gone', async () => (await chips()).join() === '.github/copilot-instructions.md');
      await chat.ask('say: three');
      await chat.untilAnswered('three');
      assert.doesNotMatch(system(), /AGENTS/);
      assert.match(system(), /Use no adverbs/);
      await commands.executeCommand(Command.chatNew);
      await until('a new conversation has it', async () => (await chips()).length === 2);
    });

    it('is cut where it is too long, and says so', async () => {
      write('AGENTS.md', 'word '.repeat(20_000));
      await until('it is shown', async () => (await chips()).join() === 'AGENTS.md (cut)');
      await chat.ask('say: short');
      await chat.untilAnswered('short');
      assert.match(system(), /\(The rest of AGENTS\.md is left out\.\)$/);
      assert.ok(system().length < 61_000);
    });

    it('goes along with an edit of the selection', async () => {
      write('AGENTS.md', 'Name things in Latin.');
      const document = await workspace.openTextDocument({ content: 'let tide = 1;\n' });
      const editor = await window.showTextDocument(document);
      editor.selection = new Selection(0, 0, 1, 0);
      const request = { uri: document.uri, lines: { first: 0, last: 0 }, instruction: 'rename tide to flood' };
      await commands.executeCommand(Command.editStart, request);
      assert.match(system(), /^You edit .*from AGENTS\.md:\n\nName things in Latin\.$/s);
      await commands.executeCommand(Command.editRejectSet);
    });

    it('does not go along where the setting says so', async () => {
      write('AGENTS.md', 'Answer in verse.');
      await until('it is shown', async () => (await chips()).length === 1);
      await setting('parley.chat.instructionFiles', false);
      await until('it is shown no more', async () => (await chips()).length === 0);
      await chat.ask('say: plain');
      await chat.untilAnswered('plain');
      assert.doesNotMatch(system(), /verse/);
      await setting('parley.chat.instructionFiles', undefined);
    });
  });

  describe('A conversation', () => {
    const differs = () => visible('.parameters .codicon-circle-small-filled', { frame });
    const openParameters = async (): Promise<void> => {
      await chat.open();
      await commands.executeCommand(Command.chatParameters);
      await waitFor('.drawer', { frame });
    };

    it('has a model of its own, picked in the panel; others start with that of the settings', async () => {
      await chat.ask('say: one');
      await chat.untilAnswered('one');
      await click('.model', { frame });
      await quickPick.untilAsked('The model that answers in this conversation');
      await quickPick.choose('parley-chat-large');
      await until('it is shown', async () => (await text('.model-name', { frame })) === 'parley-chat-large');
      assert.equal(workspace.getConfiguration().get('parley.chat.model'), 'parley-chat');
      await click('.answer .actions [aria-label="Retry"]', { frame });
      await waitFor('.answer .versions:has-text("2 / 2")', { frame });
      await chat.untilAnswered('one');
      assert.deepEqual(
        bodies(service).map(({ model }) => model),
        ['parley-chat', 'parley-chat-large'],
      );
      await commands.executeCommand(Command.chatNew);
      await until('the settings count', async () => (await text('.model-name', { frame })) === 'parley-chat');
    });

    it('has parameters of its own, which a mark shows, until they are reset', async () => {
      await openParameters();
      await screenshot('parameters');
      await setField('temperature', '0,25', { frame });
      await until('it is marked', differs);
      assert.match(
        (await attribute('.parameters', 'aria-label', { frame })) ?? '',
        /^Parameters of This Conversation: Temperature 0\.25$/,
      );
      await chat.ask('say: one');
      await chat.untilAnswered('one');
      assert.equal(last()?.temperature, 0.25);
      await openParameters();
      await click('.drawer .link:text-is("Reset to Settings")', { frame });
      await until('the mark is gone', async () => !(await differs()));
      await chat.ask('say: two');
      await chat.untilAnswered('two');
      assert.equal(last()?.temperature, undefined);
    });

    it('in a tab has parameters of its own, and its prompts are about the editor beside it', async () => {
      const tab = { frame, place: 'tab' } as const;
      write('.parley/prompts/language.md', 'say: this is {{language}}');
      await select();
      await commands.executeCommand(Command.chatOpenInEditor);
      await waitFor('.stage', tab);
      await commands.executeCommand('workbench.action.moveEditorToNextGroup');
      await waitFor('.stage', tab);
      await fill('.box', '/language ', tab);
      await click('.send', tab);
      await until('it is answered', async () => (await texts('.answer', tab)).join().includes('this is typescript'));
      await commands.executeCommand(Command.chatNew);
      await click('.parameters', tab);
      await setField('temperature', '0.5', tab);
      const mark = '.parameters .codicon-circle-small-filled';
      await until('the tab is marked', () => visible(mark, tab));
      assert.equal(await visible(mark, { frame, place: 'view' }), false);
    });

    it('sends each field of the request that is set in the drawer, as it was written there', async () => {
      const schema = { type: 'object', properties: { port: { type: 'string' } } };
      const tool = { name: 'tide', description: 'The tide at a port', parameters: schema };
      const fields: Readonly<Record<string, readonly [written: string, sent: unknown]>> = {
        temperature: ['0.5', 0.5],
        top_p: ['0,9', 0.9],
        frequency_penalty: ['-0.5', -0.5],
        presence_penalty: ['1', 1],
        seed: ['42', 42],
        logit_bias: ['{"1734": -100}', { 1734: -100 }],
        max_tokens: ['500', 500],
        stop: ['END\na\\nb', ['END', 'a\nb']],
        n: ['2', 2],
        response_format: ['text', { type: 'text' }],
        logprobs: ['t', true],
        top_logprobs: ['3', 3],
        tools: [JSON.stringify([{ type: 'function', function: tool }]), [{ type: 'function', function: tool }]],
        tool_choice: ['none', 'none'],
        parallel_tool_calls: ['f', false],
        functions: [JSON.stringify([tool]), [tool]],
        function_call: ['none', 'none'],
        stream: ['t', true],
        stream_options: ['{"include_usage": false}', { include_usage: false }],
        user: ['the harbour', 'the harbour'],
      };
      await openParameters();
      for (const [name, [written]] of Object.entries(fields)) await setField(name, written, { frame });
      await screenshot('parameters-all');
      await chat.ask('say: all of it');
      await chat.untilAnswered('all of it');
      const body = last() as Readonly<Record<string, unknown>>;
      for (const [name, [, sent]] of Object.entries(fields)) assert.deepEqual(body[name], sent, name);
    });

    it('shows how sure the model was of each word', async () => {
      await openParameters();
      await setField('logprobs', 't', { frame });
      await setField('top_logprobs', '3', { frame });
      await until('it is set', differs);
      await press('Escape');
      await chat.ask('say: high water at six');
      await chat.untilAnswered('high water at six');
      await click('.answer .actions [aria-label="How Sure the Model Was"]', { frame });
      await waitFor('.confidence-summary:has-text("Perplexity")', { frame });
      assert.equal(await text('.confidence-text', { frame }), 'high water at six');
      await screenshot('confidence');
    });

    it('has each of several answers that were asked for at once as a version', async () => {
      await openParameters();
      await setField('n', '3', { frame });
      await until('it is set', differs);
      await chat.ask('say: high water');
      await waitFor('.column >> nth=2 >> .markdown:has-text("high water")', { frame });
      await click('[aria-label="Back to the Conversation"]', { frame });
      await chat.untilAnswered('high water');
      await waitFor('.answer .versions:has-text("1 / 3")', { frame });
      await click('.answer .versions [aria-label="Next Version"]', { frame });
      await waitFor('.answer .versions:has-text("2 / 3")', { frame });
      await chat.untilAnswered('high water');
      await click('.answer .actions [aria-label="Compare With Another Version"]', { frame });
      await quickPick.untilAsked('Which version is this one compared with?');
      await quickPick.choose('Version 3');
      await until('both are shown', () => window.tabGroups.activeTabGroup.activeTab?.label === 'Version 2 ↔ Version 3');
      await closeEditors();
      assert.equal(bodies(service).length, 1);
    });

    it('shows the call that a model asks for, which nobody runs', async () => {
      await openParameters();
      await setField('tools', '[{"type": "function", "function": {"name": "tide"}}]', { frame });
      await until('it is set', differs);
      await chat.ask('call tide {"port": "Cuxhaven"}');
      await waitFor('.call p:text-is("Call of tide")', { frame });
      assert.deepEqual(JSON.parse(await text('.call code', { frame })), { port: 'Cuxhaven' });
      assert.equal(
        await text('.answer .note', { frame }),
        'The model asks for this to be called. Parley calls nothing.',
      );
      assert.equal(bodies(service).length, 1);
    });

    it('says what values a parameter takes, and takes no others', async () => {
      await openParameters();
      await setField('top_p', '1.5', { frame });
      assert.equal(await text('.field-problem:visible', { frame }), 'A number from 0 to 1.');
      await setField('tools', '[{"type": "function"}]', { frame });
      await waitFor('.field-problem:text-is("“tools[0].function” takes an object.")', { frame });
      assert.equal(await differs(), false);
      await setField('top_p', '0.5', { frame });
      await until('it is marked', differs);
    });

    it('has its request as a JSON document, in step with the drawer both ways, and checked as one types', async () => {
      await openParameters();
      await setField('seed', '7', { frame });
      await until('it is set', differs);
      await click('.drawer .link:text-is("Request as JSON…")', { frame });
      const editor = await until('it is open', () =>
        window.activeTextEditor?.document.fileName.endsWith('Request.json') ? window.activeTextEditor : undefined,
      );
      const { document } = editor;
      const replace = (text: string) =>
        editor.edit((edit) => edit.replace(document.validateRange(new Selection(0, 0, 1000, 0)), text));
      assert.deepEqual(JSON.parse(document.getText()), { model: 'parley-chat', seed: 7 });
      await replace('{"model": "parley-chat-large", "temperature": 0.25, "stop": ["END", "STOP"]}');
      await until('the drawer follows', async () => (await value('#field-temperature', { frame })) === '0.25');
      await until('a list, too', async () => (await value('#field-stop', { frame })) === 'END\nSTOP');
      assert.deepEqual(
        [await value('#field-seed', { frame }), await text('.model-name', { frame })],
        ['', 'parley-chat-large'],
      );
      assert.equal(document.isDirty, true);
      await screenshot('request');
      assert.ok(await document.save(), 'nothing else has changed it');
      await setField('top_p', '0,5', { frame });
      await until('the document follows', () => JSON.parse(document.getText()).top_p === 0.5);
      await replace('{"model": "parley-chat", "temperature": "hot", "colour": 1}');
      const problems = await until('VS Code says what is wrong', () => {
        const found = languages.getDiagnostics(document.uri).map(({ message }) => message);
        return found.length > 1 ? found : undefined;
      });
      assert.match(problems.join(), /Incorrect type\. Expected "number"/);
      assert.match(problems.join(), /colour is not allowed/);
      assert.equal(await document.save().then(undefined, () => false), false);
      await notification.untilSaid('“temperature” takes a number');
      assert.equal(await value('#field-temperature', { frame }), '0.25');
      await closeEditors();
      await chat.ask('say: high water');
      await chat.untilAnswered('high water');
      const { temperature, top_p, seed } = last() as unknown as Readonly<Record<string, unknown>>;
      assert.deepEqual([temperature, top_p, seed], [0.25, 0.5, undefined]);
    });

    it('takes over a preset of the workspace, keeps one of its own, and says what is wrong with one', async () => {
      const pick = async (label: string): Promise<void> => {
        await openParameters();
        await click('.drawer .link:text-is("Presets…")', { frame });
        await quickPick.choose(label);
      };
      const shows = (name: string, wanted: string) =>
        until(`${name} is ${wanted}`, async () => (await value(`#field-${name}`, { frame })) === wanted);
      write('.parley/presets/exact.json', '{"temperature": 0, "seed": 7}');
      write('.parley/presets/broken.json', '{"temperature": "hot"}');
      await openParameters();
      await setField('top_p', '0.5', { frame });
      await pick('exact');
      await shows('seed', '7');
      await shows('top_p', '');
      await pick('broken');
      await notification.untilSaid('The preset broken.json is not taken over: “temperature” takes a number');
      await setField('n', '2', { frame });
      await pick('Save as a New Preset…');
      await quickPick.choose('For Me');
      await inputBox.enter('Zwei Möglichkeiten', 'Save as a New Preset…');
      await notification.untilSaid('The preset “Zwei Möglichkeiten” is saved.');
      await click('.drawer .link:text-is("Reset to Settings")', { frame });
      await shows('seed', '');
      await pick('Zwei Möglichkeiten');
      await shows('n', '2');
      await shows('seed', '7');
    });

    it('gives a preset to the conversation in which it was asked for, by what that has', async () => {
      write('.parley/presets/exact.json', '{"temperature": 0, "seed": 7}');
      await openParameters();
      await setField('top_p', '0.5', { frame });
      await commands.executeCommand(Command.chatRequest);
      const request = await until('its request is open', () => {
        const open = window.activeTextEditor?.document;
        return open?.uri.scheme === 'parley-conversation' ? open : undefined;
      });
      const sent = () => JSON.parse(request.getText()) as Readonly<Record<string, unknown>>;
      assert.equal(sent()['top_p'], 0.5);
      const choosing = commands.executeCommand(Command.chatPresets);
      await quickPick.untilListed('exact');
      await commands.executeCommand(Command.chatNew);
      await quickPick.choose('exact');
      await choosing;
      await until('it is taken over', () => sent()['seed'] === 7);
      assert.equal(sent()['top_p'], undefined);
      await openParameters();
      assert.equal(await value('#field-seed', { frame }), '');
    });

    it('is opened from a request on the clipboard, whose question waits in the message box', async () => {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'When is high water?' },
        { role: 'assistant', content: 'At six.' },
        { role: 'user', content: 'say: low water' },
      ];
      const body = JSON.stringify({ model: 'parley-chat-large', messages, temperature: 0.25, top_k: 40 });
      await env.clipboard.writeText(`curl https://models.example/v1/chat/completions -d '${body}'`);
      await commands.executeCommand(Command.chatOpenRequest);
      await waitFor('.answer:has-text("At six.")', { frame });
      await until('the question waits', async () => (await value('.box', { frame })) === 'say: low water');
      await notification.untilSaid('What a conversation does not have was left out, in one place.');
      await notification.clear();
      assert.equal(bodies(service).length, 0);
      await click('.send', { frame });
      await chat.untilAnswered('low water');
      assert.deepEqual([last()?.model, last()?.temperature], ['parley-chat-large', 0.25]);
      assert.deepEqual(last()?.messages, messages);
      await env.clipboard.writeText('no request');
      await commands.executeCommand(Command.chatOpenRequest);
      await notification.untilSaid('The clipboard has no chat request');
    });

    it('has a system prompt of its own, written in an editor', async () => {
      await openParameters();
      await click('.drawer .link:text-is("System Prompt…")', { frame });
      const editor = await until('it is open', () =>
        window.activeTextEditor?.document.uri.scheme === 'parley-conversation' ? window.activeTextEditor : undefined,
      );
      assert.match(editor.document.getText(), /^You help a programmer/);
      const whole = editor.document.validateRange(new Selection(0, 0, 1000, 0));
      await editor.edit((edit) => edit.replace(whole, 'Answer like a harbour master.\nAlways.\n'));
      await until('it is changed', () => editor.document.isDirty);
      await editor.document.save();
      await until('it is saved', () => !editor.document.isDirty);
      await until('it is marked', differs);
      await chat.ask('say: aye');
      await chat.untilAnswered('aye');
      assert.equal(system(), 'Answer like a harbour master.\nAlways.');
      await commands.executeCommand(Command.chatNew);
      await chat.ask('say: other');
      await chat.untilAnswered('other');
      assert.match(system(), /^You help a programmer/);
    });
  });
});

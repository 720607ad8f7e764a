import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import {
  commands,
  env,
  LanguageModelTextPart,
  lm,
  Selection,
  TabInputText,
  type TextEditor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { Command, Tool } from '../../../../src/ids/ids.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, dialog, notification, press, waitFor } from '../support/hands.ts';
import {
  type Answer,
  connectToScripted,
  type ScriptedService,
  startScripted,
  streamed,
} from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

const berths = 'src/berths.ts';
const oldLine = 'export const UNDER_KEEL_CLEARANCE = 0.5;';
const newLine = 'export const UNDER_KEEL_CLEARANCE = 0.7;';
const wrongLine = 'export const UNDER_KEEL_CLEARANCES = 0.5;';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

const ended = (reason: string) => [
  { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
  { choices: [], usage: { prompt_tokens: 400, completion_tokens: 12, total_tokens: 412 } },
  '[DONE]',
];
const says = (text: string): Answer =>
  streamed([{ choices: [{ index: 0, delta: { content: text } }] }, ...ended('stop')], (response) => response.end());
/** An answer that calls the tool, each call in pieces. */
const callsTool = (...calls: readonly (object | string)[]): Answer => {
  const pieces = calls.flatMap((call, index) => {
    const text = typeof call === 'string' ? call : JSON.stringify(call);
    const half = Math.floor(text.length / 2);
    const piece = (function_: object, id?: string) => ({
      choices: [
        { index: 0, delta: { tool_calls: [{ index, ...(id ? { id, type: 'function' } : {}), function: function_ }] } },
      ],
    });
    return [
      piece({ name: Tool.proposeEdit, arguments: '' }, `call_${index}`),
      piece({ arguments: text.slice(0, half) }),
      piece({ arguments: text.slice(half) }),
    ];
  });
  return streamed([...pieces, ...ended('tool_calls')], (response) => response.end());
};
const block = (search: string, replace: string): string =>
  `${berths}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
const change = (oldText: string, newText: string) => ({ path: berths, old_text: oldText, new_text: newText });

describe('Edits are asked for', () => {
  let model: ScriptedService;
  let editor: TextEditor;
  let text: string;

  before(async () => {
    await subject().activate();
    model = await startScripted();
    model.list([{ id: 'm' }, { id: 'caller', supported_parameters: ['tools'] }]);
  });

  beforeEach(async () => {
    await connectToScripted(model);
    await setting('parley.chat.model', 'm');
    editor = await window.showTextDocument(await workspace.openTextDocument(inWorkspace(berths)));
    text = editor.document.getText();
    (model.bodies as unknown[]).splice(0);
  });

  afterEach(async () => {
    for (const id of ['parley.edits.form', 'parley.edits.formByModel'] as const) await setting(id, undefined);
    await commands.executeCommand(Command.editRejectSet);
    await notification.clear();
    await revert();
    await closeEditors();
  });

  after(async () => {
    await disconnect();
    await model.close();
  });

  function inWorkspace(path: string): Uri {
    const [root] = workspace.workspaceFolders ?? [];
    assert.ok(root);
    return Uri.joinPath(root.uri, path);
  }

  /** Answers the questions in turn; the last answer stands for all that follow. */
  function answers(...list: readonly Answer[]): void {
    let at = 0;
    model.answer((response: ServerResponse, body) => list[Math.min(at++, list.length - 1)]?.(response, body));
  }
  async function start(instruction = 'raise it', lastLine = 2): Promise<void> {
    const { uri } = editor.document;
    await commands.executeCommand(Command.editStart, { instruction, uri, lines: { first: 0, last: lastLine } });
  }
  const bodyAt = (at: number): Body => (model.bodies[at] ?? assert.fail(`no question ${at}`)) as unknown as Body;
  const hasReview = (): boolean =>
    window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof TabInputText && input.uri.scheme === 'parley-edit'),
    );
  async function acceptAll(expected: string): Promise<void> {
    await until('the proposal', hasReview);
    await commands.executeCommand(Command.editAcceptSet);
    await until('it is written', () => editor.document.getText() === expected);
  }
  async function revert(): Promise<void> {
    await window.showTextDocument(editor.document);
    await commands.executeCommand('workbench.action.files.revert');
  }
  const changed = (): string => text.replace(oldLine, newLine);
  async function chooseItem(label: string): Promise<void> {
    await waitFor(`.quick-input-list .monaco-list-row:has-text(${JSON.stringify(label)})`);
    await click(`.quick-input-list .monaco-list-row:has-text(${JSON.stringify(label)})`);
  }

  it('as calls of a tool where the model has tools, and a call that cannot be read is asked for again', async () => {
    await setting('parley.chat.model', 'caller');
    answers(
      callsTool(change(oldLine, newLine), `{"path": "${berths}", "old_text": "export`),
      callsTool(change(text.split('\n')[0] ?? '', '// first')),
    );
    await start();
    const [first, second] = [bodyAt(0), bodyAt(1)];
    assert.equal(first.tools?.[0]?.function.name, Tool.proposeEdit);
    assert.doesNotMatch(first.messages[0]?.content ?? '', /SEARCH|Return only/);
    assert.equal(second.tools?.[0]?.function.name, Tool.proposeEdit);
    assert.match(second.messages[1]?.content ?? '', /src\/berths\.ts: it cannot be read/);
    await notification.untilSaid('Asked again for 1 place: 412 tokens.');
    await acceptAll(changed().replace(text.split('\n')[0] ?? '', '// first'));
  });

  it('only after a question where they are of 100,000 lines, and nothing is sent where the user declines', async () => {
    const lines = 100_000;
    const document = await workspace.openTextDocument({ content: 'export const depth = 0.5;\n'.repeat(lines) });
    await window.showTextDocument(document);
    const asked = commands.executeCommand(Command.editStart, {
      instruction: 'raise it',
      uri: document.uri,
      lines: { first: 0, last: lines - 1 },
    });
    const question = await dialog.text();
    assert.match(question, /Send 100,000 lines to m\?/);
    assert.match(question, /about \d{3},\d{3} tokens/);
    await screenshotInThemes('edit-large');
    await dialog.press('Cancel');
    await asked;
    assert.equal(model.bodies.length, 0);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('as blocks where it has none and much is selected, or the user sets it', async () => {
    answers(says(block(oldLine, newLine)));
    await start('raise it', 45);
    assert.match(bodyAt(0).messages[0]?.content ?? '', /SEARCH\/REPLACE blocks/);
    assert.equal(bodyAt(0).tools, undefined);
    await acceptAll(changed());
    await revert();
    await setting('parley.edits.formByModel', { 'm*': 'blocks' });
    await start();
    assert.match(bodyAt(1).messages[0]?.content ?? '', /SEARCH\/REPLACE blocks/);
  });

  it('as blocks where the service refuses tools, which are not offered again; what was learned is shown, and forgotten', async () => {
    await setting('parley.edits.form', 'tool');
    model.answer((response, body) => {
      if (!('tools' in body)) return says(block(oldLine, newLine))(response, body);
      const error = { message: 'm does not support tools', type: 'invalid_request_error' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    await start();
    assert.ok(bodyAt(0).tools !== undefined);
    assert.equal(bodyAt(1).tools, undefined);
    assert.match(bodyAt(1).messages[0]?.content ?? '', /SEARCH\/REPLACE blocks/);
    await acceptAll(changed());
    await revert();
    await start();
    assert.equal(model.bodies.length, 3);
    assert.equal(bodyAt(2).tools, undefined);
    await commands.executeCommand(Command.editRejectSet);
    const shown = commands.executeCommand(Command.showLearned);
    await waitFor('.quick-input-list .monaco-list-row:has-text("refused by the service")');
    await click('.quick-input-list .monaco-list-row:has-text("refused by the service")');
    await press('Enter');
    await shown;
    await notification.untilSaid('is forgotten.');
    await start();
    assert.ok(bodyAt(3).tools !== undefined, 'they are offered again');
  });

  it('again for a block without a place, with the reason and the nearest lines, in the same review', async () => {
    await setting('parley.edits.form', 'blocks');
    const [firstLine = ''] = text.split('\n');
    answers(says(`${block(wrongLine, newLine)}\n\n${block(firstLine, '// first')}`), says(block(oldLine, newLine)));
    await start('raise the clearance');
    assert.equal(model.bodies.length, 2);
    const { messages } = bodyAt(1);
    assert.equal(messages.length, 2);
    assert.match(
      messages[1]?.content ?? '',
      /^What was asked for: raise the clearance\n\n1\. src\/berths\.ts: what it replaces is not in the file/,
    );
    assert.ok(messages[1]?.content.includes(oldLine), 'the nearest lines');
    assert.ok(messages[1]?.content.includes(wrongLine), 'the block');
    assert.ok(messages[1]?.content.includes(newLine), 'what it puts there');
    await notification.untilSaid('Asked again for 1 place: 412 tokens.');
    await acceptAll(changed().replace(firstLine, '// first'));
  });

  it('and the review is at its first change when the answer is whole, as it is while that comes in', async () => {
    await setting('parley.edits.form', 'blocks');
    const line = text.split('\n').indexOf(oldLine);
    const place = () => {
      const active = window.activeTextEditor;
      return active?.document.uri.scheme === 'parley-edit' ? active.selection.active.line : undefined;
    };
    let end: () => void = () => undefined;
    const whole = new Promise<void>((resolve) => {
      end = resolve;
    });
    answers(async (response) => {
      const delta = { content: `${block(oldLine, newLine)}\n` };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
      await whole;
      for (const each of ended('stop'))
        response.write(`data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);
      response.end();
    });
    const running = start();
    await until('the change is shown while the answer comes in', () => place() === line);
    end();
    await running;
    assert.equal(place(), line);
  });

  it('again until Cancel, which closes the connection and keeps what has a place', async () => {
    await setting('parley.edits.form', 'blocks');
    const [firstLine = ''] = text.split('\n');
    const { closed } = model;
    answers(says(`${block(wrongLine, newLine)}\n\n${block(firstLine, '// first')}`), (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const running = start();
    await until('it is asked again', () => model.bodies.length === 2);
    await notification.press('Cancel');
    await running;
    await until('the connection is closed', () => model.closed > closed);
    await notification.untilSaid('1 block of the answer has no sure place.');
    await acceptAll(text.replace(firstLine, '// first'));
  });

  it('and what has no place after that is told block by block, to be inserted, opened or copied', async () => {
    await setting('parley.edits.form', 'blocks');
    answers(says([1, 2, 3].map((at) => block(`no such line ${at}`, `line ${at}`)).join('\n\n')));
    await start();
    assert.equal(model.bodies.length, 2);
    await notification.untilSaid('no sure place.');
    assert.equal(hasReview(), false);
    await notification.press('Show Them');
    const use = async (action: string): Promise<void> => {
      await waitFor('.quick-input-list .monaco-list-row:has-text("src/berths.ts")');
      await press('Enter');
      await chooseItem(action);
    };
    await use('Copy');
    await until('it is copied', async () => /^line \d$/.test(await env.clipboard.readText()));
    await use('New File');
    await until('it is opened', () =>
      workspace.textDocuments.some((each) => each.isUntitled && /^line \d$/m.test(each.getText())),
    );
    await use('Insert at Cursor');
    await until('it is inserted', () => editor.document.isDirty && /^line \d/m.test(editor.document.getText()));
    await commands.executeCommand(Command.editShowUnplaced);
    await notification.untilSaid('No block of an answer is without a place.');
    const made = workspace.textDocuments.find((each) => each.isUntitled) ?? assert.fail('no new file');
    await window.showTextDocument(made);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('of Apply in the chat only where the user agrees to the price', async () => {
    const other = block('no such line', 'x');
    answers(
      says(`Two changes.\n\n\`\`\`\n${block(wrongLine, newLine)}\n\`\`\`\n\n\`\`\`\n${other}\n\`\`\``),
      says(block(oldLine, newLine)),
    );
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, 'raise it');
    await chat.open();
    await click('.messages > :last-child [aria-label="Review Changes to Files"]', { frame });
    const said = await notification.untilSaid('sure. Ask the model for');
    assert.match(said, /About [\d,.]+ tokens\./);
    const asked = model.bodies.length;
    await notification.press('Ask');
    await until('it is asked', () => model.bodies.length === asked + 1);
    assert.match(bodyAt(asked).messages[0]?.content ?? '', /SEARCH\/REPLACE blocks/);
    await acceptAll(changed());
  });

  it('of agents by the same tool, with its members and those of older versions', async () => {
    const propose = async (input: object): Promise<string> => {
      const { content } = await lm.invokeTool(Tool.proposeEdit, { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
    };
    for (const input of [
      change(oldLine, newLine),
      { changes: [change(oldLine, newLine)] },
      { title: 'x', changes: [{ path: berths, oldText: oldLine, newText: newLine }] },
    ]) {
      assert.match(await propose(input), /Shown to the user.*berths\.ts/);
      await until('the review', hasReview);
      await commands.executeCommand(Command.editRejectSet);
    }
    await assert.rejects(propose({ path: berths, old_text: oldLine }), /give old_text and new_text, or content/);
  });

  it('while the chat says the form of changes where files are attached, and only there', async () => {
    answers(says('Yes.'));
    await commands.executeCommand(Command.chatNew);
    await commands.executeCommand(Command.chatAsk, 'what is a berth?');
    assert.doesNotMatch(bodyAt(0).messages[0]?.content ?? '', /SEARCH/);
    await commands.executeCommand(Command.chatNew);
    await window.showTextDocument(editor.document);
    editor.selection = new Selection(0, 0, 3, 0);
    await commands.executeCommand(Command.selectionExplain);
    await until('it is asked', () => model.bodies.length === 2);
    const [system] = bodyAt(1).messages;
    assert.equal(system?.role, 'system');
    assert.match(system.content, /<<<<<<< SEARCH[\s\S]*\.\.\. existing code \.\.\./);
  });
});

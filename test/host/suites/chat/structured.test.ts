import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, env, languages, Range, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { chat, setField, view } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  axe,
  click,
  inputBox,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  texts,
  value,
  visible,
  waitFor,
} from '../support/hands.ts';
import {
  type Answer,
  connectToScripted,
  type ScriptedService,
  startScripted,
  streamed,
} from '../support/scriptedService.ts';
import { disconnect, setting } from '../support/service.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

const folder = (): string => join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.parley', 'schemas');

function writeSchema(name: string, content: unknown): void {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(join(folder(), name), typeof content === 'string' ? content : JSON.stringify(content));
}

const harbour = {
  title: 'Harbour',
  type: 'object',
  properties: {
    name: { type: 'string' },
    places: { type: 'array', items: { $ref: '#/$defs/place' } },
  },
  required: ['name', 'places'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { berths: { type: 'integer' } }, required: ['berths'] } },
};
const sent = { type: 'json_schema', json_schema: { name: 'Harbour', schema: harbour } };
const bad = '{"name": "Cuxhaven", "places": [{"berths": 4}, {"berths": "six"}]}';
const good = bad.replace('"six"', '6');

/** In pieces, as a service sends what is long. */
const says = (words: string, reason = 'stop'): Answer =>
  streamed(
    [
      ...(words.match(/[\s\S]{1,20000}/g) ?? []).map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      '[DONE]',
    ],
    (response) => response.end(),
  );

describe('Answers as data', () => {
  let model: ScriptedService;
  const last = () =>
    model.bodies.at(-1) as { messages: { role: string; content: string }[]; response_format?: unknown };
  const status = '.answer:last-child .data-status';
  const written = () => value('#field-response_format', view);

  before(async () => {
    await subject().activate();
  });
  beforeEach(async () => {
    model = await startScripted();
    await connectToScripted(model);
    await setting('parley.chat.model', 'm');
    await chat.open();
    await commands.executeCommand(Command.chatNew);
    await waitFor('.stage', view);
    await notification.clear();
    writeSchema('harbour.json', harbour);
  });
  afterEach(async () => {
    // What VS Code would ask to save is not.
    await commands.executeCommand('workbench.action.files.revert').then(undefined, () => undefined);
    await press('Escape');
    await commands.executeCommand(Command.chatStop);
    await model.close();
    await closeEditors();
    rmSync(join(folder(), '..'), { recursive: true, force: true });
  });
  after(disconnect);

  async function choose(label: string): Promise<void> {
    const choosing = commands.executeCommand(Command.chatSchema);
    await quickPick.untilAsked('What the answers of this conversation are to fit, as JSON');
    await quickPick.choose(label);
    await choosing;
  }

  async function ask(question: string, words: string, reason?: string): Promise<void> {
    model.answer(says(words, reason));
    await chat.ask(question);
  }

  it('fit a schema that is chosen; what does not fit is told at its place, and goes out with Fix', async () => {
    await choose('harbour');
    await ask('Which places are there?', bad);
    await waitFor(`${status}:has-text("1 place does not fit the schema")`, view);
    assert.deepEqual(last().response_format, sent);
    await waitFor('.data-row:has-text("berths: \\"six\\"") .data-fault:has-text("must be integer, is string")', view);
    assert.deepEqual(await axe('.composer'), []);
    await screenshot('data-violation');
    await click('.data-violation', view);
    await waitFor('.data-row:focus:has-text("six")', view);
    await click('.data-copies .link:text-is("Copy as TypeScript Type")', view);
    await until('the type is copied', async () =>
      (await env.clipboard.readText()).includes('export interface Harbour {'),
    );
    await click('.data-copies .link:text-is("Copy as zod Schema")', view);
    await until('the schema is copied', async () => (await env.clipboard.readText()).includes('z.object({'));
    await click('.data-copies .link:text-is("Copy JSON")', view);
    await until('the JSON is copied', async () => (await env.clipboard.readText()) === bad);
    model.answer(says(good));
    await click('.data > .button:text-is("Fix")', view);
    await waitFor(`${status}:has-text("Fits the schema")`, view);
    assert.match(last().messages.at(-1)?.content ?? '', /- `places\[1\]\.berths`: must be integer, but is string/);
    assert.deepEqual(last().response_format, sent);
    assert.equal(await visible('.answer:last-child .data > .button', view), false);
    await screenshot('data-fixed');
  });

  it('are asked for with no schema again, and are then not checked', async () => {
    await choose('harbour');
    await choose('No Schema');
    await ask('Which places?', bad);
    await chat.untilAnswered('Cuxhaven');
    assert.equal(last().response_format, undefined);
    assert.equal(await visible('.data', view), false);
  });

  for (const who of ['For Everyone Who Works in “workspace”', 'For Me']) {
    it(`have a schema in a file that is made from the drawer, and that VS Code helps with: ${who}`, async () => {
      await commands.executeCommand(Command.chatParameters);
      // The focus comes to the first field when the drawer is there; a list of VS Code that is open then would close.
      await waitFor('#field-temperature:focus', view);
      await click('.drawer .link:text-is("Schema…")', view);
      await quickPick.choose('New Schema File…');
      await quickPick.choose(who);
      await inputBox.enter('tide', 'New Schema File…');
      const document = await until('it is open', () =>
        window.activeTextEditor?.document.fileName.endsWith('tide.json') ? window.activeTextEditor.document : undefined,
      );
      assert.equal(JSON.parse(document.getText()).title, 'Summary');
      await window.activeTextEditor?.edit((edit) =>
        edit.replace(document.validateRange(new Range(0, 0, 1000, 0)), '{"type": "objekt"}'),
      );
      await until('VS Code finds the fault', () =>
        languages.getDiagnostics(document.uri).some(({ message }) => /not accepted|valid/i.test(message)),
      );
      await commands.executeCommand('workbench.action.files.revert');
      rmSync(document.uri.fsPath);
    });
  }

  it('are asked for as JSON, with the schema in words, where the service takes no schema', async () => {
    await choose('harbour');
    model.answer((response, body) => {
      const { type } = body['response_format'] as { type: string };
      if (type === 'json_object') return says(bad)(response, body);
      const error = {
        message: "response_format.type: must be one of 'text', 'json_object'",
        param: 'response_format.type',
      };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return undefined;
    });
    await chat.ask('Which places?');
    await waitFor(`${status}:has-text("1 place does not fit the schema")`, view);
    assert.match(await text('.answer:last-child .rest > .note', view), /cannot be held to a JSON schema/);
    assert.deepEqual(last().response_format, { type: 'json_object' });
    assert.match(last().messages[0]?.content ?? '', /fits this JSON schema: \{.*"berths"/);
  });

  it('are asked for in words alone, where the service takes no response_format', async () => {
    await setting('parley.chat.model', 'wordy');
    await choose('harbour');
    model.answer((response, body) => {
      if (body['response_format'] === undefined) return says(good)(response, body);
      const error = { message: 'Unrecognized request argument supplied: response_format' };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return undefined;
    });
    await chat.ask('Which places?');
    await waitFor(`${status}:has-text("Fits the schema")`, view);
    assert.match(await text('.answer:last-child .rest > .note', view), /asks for JSON in words from now on/);
    for (const again of [false, true]) {
      if (again) await ask('And now?', good);
      await until('it is asked for in words', () => /fits this JSON schema/.test(last().messages[0]?.content ?? ''));
    }
  });

  it('that are cut off at the token limit say so, and are no bad answers', async () => {
    await setting('parley.chat.model', 'm2');
    await choose('harbour');
    await ask('Which places?', bad.slice(0, 40), 'length');
    await waitFor('.data .note:has-text("cut off before its JSON was whole")', view);
    assert.equal(await visible('.data > .button', view), false);
    model.answer(says(good.slice(40)));
    await chat.press('Continue');
    await waitFor(`${status}:has-text("Fits the schema")`, view);
  });

  it('that are no JSON stay texts, and Fix asks for JSON', async () => {
    await choose('harbour');
    await ask('Which places?', 'There are **two** places.');
    await waitFor(`${status}:has-text("This is not JSON: line 1, column 1.")`, view);
    assert.equal(await chat.untilAnswered('two'), 'There are two places.');
    model.answer(says(`\`\`\`json\n${good}\n\`\`\``));
    await click('.data > .button:text-is("Fix")', view);
    await waitFor(`${status}:has-text("Fits the schema")`, view);
    assert.match(last().messages.at(-1)?.content ?? '', /not valid JSON \(line 1, column 1\)/);
  });

  it('that are hostile are a sentence, or a tree with a part of them', async () => {
    await choose('harbour');
    await ask('Deep?', '['.repeat(10_000) + ']'.repeat(10_000));
    await waitFor('.answer:last-child .data .note:has-text("more than 100 levels")', view);
    await ask('Wide?', JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, at]))));
    await waitFor(`${status}:has-text("More than 200 places do not fit the schema")`, view);
    assert.ok((await texts('.answer:last-child .data-row', view)).length <= 103);
    await ask('Signs?', '{"name": "<img src=x onerror=alert(1)> [a](command:x)", "places": [], "__proto__": {"a": 1}}');
    await waitFor(
      '.answer:last-child .data-row:has-text("__proto__") .data-fault:has-text("is not in the schema")',
      view,
    );
    assert.equal(await visible('.answer:last-child .data img, .answer:last-child .data a', view), false);
  });

  it('take no schema that cannot be used, and say why', async () => {
    writeSchema('broken.json', '{"type": ');
    writeSchema('huge.json', `{"description": "${'x'.repeat(10_000_000)}"}`);
    writeSchema('long.json', { description: 'x'.repeat(150_000) });
    writeSchema('deep.json', `${'{"not":'.repeat(10_000)}true${'}'.repeat(10_000)}`);
    for (const [name, why] of [
      ['broken', 'It is not JSON.'],
      ['huge', 'It cannot be read, or is too large.'],
      ['long', 'It has more than 100,000 characters.'],
      ['deep', 'It has more than 100 levels.'],
    ] as const) {
      await choose(name);
      await notification.untilSaid(`The schema “${name}” is not used: ${why}`);
      await notification.clear();
    }
    await ask('Which?', bad);
    await chat.untilAnswered('Cuxhaven');
    assert.equal(last().response_format, undefined);
  });

  it('are checked in bounds against a schema without end, whatever it refers to', async () => {
    writeSchema('endless.json', {
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      properties: {
        name: { pattern: '^(\\w+)+!$' },
        far: { $ref: 'https://schema.invalid/s.json' },
        round: { $ref: '#/$defs/a' },
      },
    });
    await choose('endless');
    await notification.untilSaid('which Parley does not fetch');
    await notification.clear();
    await ask('Which?', JSON.stringify({ name: 'a'.repeat(5_000), far: 1, round: 2 }));
    await waitFor(`${status}:has-text("1 place does not fit the schema")`, view);
    const notes = (await texts('.answer:last-child .data > .note', view)).join('\n');
    assert.match(notes, /schema\.invalid\/s\.json is another document, which Parley does not fetch/);
    assert.match(notes, /leads back to itself/);
  });

  it('can be asked for in the drawer as any JSON, and have the type that the answer tells', async () => {
    await commands.executeCommand(Command.chatParameters);
    await waitFor('.drawer', view);
    await choose('harbour');
    await until('the drawer has the schema', async () => (await written()).includes('"json_schema"'));
    await choose('No Schema');
    await until('it is taken away', async () => (await written()) === '');
    await setField('response_format', 'json_object', view);
    await press('Escape');
    await ask('Which?', bad);
    await waitFor('.answer:last-child .data-tree', view);
    assert.deepEqual(last().response_format, { type: 'json_object' });
    assert.equal(await visible(status, view), false);
    await click('.answer:last-child .data-copies .link:text-is("Copy as TypeScript Type")', view);
    await until('it is copied', async () => /berths: number \| string/.test(await env.clipboard.readText()));
  });
});

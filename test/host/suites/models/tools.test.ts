import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  LanguageModelTextPart,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolTokenizationOptions,
  lm,
  workspace,
} from 'vscode';
import { Command, Tool } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { dialog, notification } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const folder = (): string => workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Calls a tool as an extension without a chat does. */
async function invoke(
  name: string,
  input: object,
  tokenizationOptions?: LanguageModelToolTokenizationOptions,
): Promise<string> {
  const options: LanguageModelToolInvocationOptions<object> = { input, toolInvocationToken: undefined };
  if (tokenizationOptions) options.tokenizationOptions = tokenizationOptions;
  const { content } = await lm.invokeTool(name, options);
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}

/** The same, answering VS Code's question first; gives the question along. */
async function invokeAndConfirm(name: string, input: object, button = 'Yes'): Promise<{ asked: string; text: string }> {
  const running = invoke(name, input);
  running.catch(() => undefined);
  const asked = await dialog.text();
  await dialog.press(button);
  return { asked, text: await running };
}

describe('Tools for agents', () => {
  let service: ReferenceService;
  const uploads = (): number => service.requests.filter((r) => r.path.endsWith('/audio/translations')).length;
  /** The files of the hits for one question, as the tool names them. */
  const filesFor = async (narrowing: object): Promise<string[]> => {
    const text = await invoke(Tool.searchCode, { query: 'read the tide table', ...narrowing });
    return [...new Set([...text.matchAll(/^(\S+):\d+-\d+$/gm)].map(([, path]) => path ?? ''))];
  };
  /** Only with a yes to the index is a question sent. */
  async function indexAll(): Promise<void> {
    const running = commands.executeCommand(Command.searchIndex);
    await dialog.press('Index Now');
    await running;
  }
  beforeEach(async () => {
    service = await startService();
    await connectTo(service);
    await notification.clear();
  });
  afterEach(async () => {
    await service.close();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
  });
  after(disconnect);

  it('are listed with what a model has to know', () => {
    for (const name of Object.values(Tool)) {
      const tool = lm.tools.find((each) => each.name === name);
      assert.ok(tool, name);
      assert.ok(tool.description.length > 100);
      const { required = [] } = tool.inputSchema as { required?: string[] };
      // A change stands in the input itself, or several in a list: neither has to be there.
      assert.equal(required.length, name === Tool.proposeEdit ? 0 : 1, name);
    }
  });

  it('search: a glob that a model made up is refused with its bound, or does no harm, and the next search works', async () => {
    await setting('parley.embeddings.model', '');
    const refused = { '{a,b}': 18, '*a': 60, '?': 400 };
    for (const [piece, times] of Object.entries(refused)) {
      const sentence = /cannot be narrowed like this: .* at most \d+/;
      await assert.rejects(filesFor({ globs: [`${`${piece}/`.repeat(times)}b`.slice(0, 500)] }), sentence, piece);
    }
    await assert.rejects(filesFor({ globs: ['['.repeat(10_000)] }));
    writeFileSync(join(folder(), `${'a'.repeat(120)}.txt`), 'read the tide table\n');
    assert.deepEqual(await filesFor({ globs: [`${'*a'.repeat(20)}*b`] }), []);
    rmSync(join(folder(), `${'a'.repeat(120)}.txt`));
    assert.ok((await filesFor({ globs: ['**/*.ts'] })).length > 0);
  });

  it('search: with keywords alone nothing is sent, so nothing is asked; hits name their lines and hold them', async () => {
    await setting('parley.embeddings.model', '');
    const text = await invoke(Tool.searchCode, { query: 'retry with backoff', globs: ['src/http/**'], limit: 2 });
    assert.match(text, /^src\/http\/\w+\.ts:\d+-\d+\n```ts\n/);
    assert.ok(text.includes('retry'));
    assert.equal([...text.matchAll(/^src\/.+:\d+-\d+$/gm)].length <= 2, true);
    assert.ok(!text.includes('berths.ts'));
    assert.equal(service.requests.filter((r) => r.path.endsWith('/embeddings')).length, 0);
  });

  it('search: with a service but without a yes to the index nothing is sent, so nothing is asked', async () => {
    const text = await invoke(Tool.searchCode, { query: 'retry with backoff' });
    assert.match(text, /^src\//);
    // VS Code may ask for the list of models whenever the connection changes.
    assert.deepEqual(
      service.requests.filter(({ path }) => !path.endsWith('/models')),
      [],
    );
  });

  it('search: an empty query is refused by its own name, and one of common words alone is said to be one', async () => {
    await assert.rejects(invoke(Tool.searchCode, { query: ' ' }), /“query” of the tool takes a text that is not empty/);
    const text = await invoke(Tool.searchCode, { query: 'what is the' });
    assert.match(text, /“what is the” is made of words too common to search for\./);
  });

  it('search: is narrowed by language, folder and what changed since a revision, as its schema says', async () => {
    await setting('parley.embeddings.model', '');
    mkdirSync(join(folder(), 'scratch', 'deep'), { recursive: true });
    writeFileSync(join(folder(), 'scratch', 'deep', 'tides.py'), '# Reads the tide table.\n');
    writeFileSync(join(folder(), 'scratch', 'tides.ts'), '// Reads the tide table.\n');
    await until('the new files are found', async () => {
      const all = await filesFor({ limit: 50 });
      return all.includes('scratch/deep/tides.py') && all.includes('scratch/tides.ts') && all.length > 2;
    });
    const python = await filesFor({ languages: ['python'] });
    assert.ok(python.length > 0 && python.every((path) => path.endsWith('.py')), python.join());
    assert.deepEqual(await filesFor({ folder: 'scratch/deep' }), ['scratch/deep/tides.py']);
    assert.deepEqual(
      new Set(await filesFor({ changedSince: 'HEAD' })),
      new Set(['scratch/deep/tides.py', 'scratch/tides.ts']),
    );
    await assert.rejects(filesFor({ changedSince: 'no-such-branch' }), /Git knows no revision “no-such-branch” here/);
    const schema = lm.tools.find(({ name }) => name === Tool.searchCode)?.inputSchema as { properties: object };
    assert.deepEqual(Object.keys(schema.properties), [
      'query',
      'globs',
      'languages',
      'folder',
      'changedSince',
      'limit',
    ]);
  });

  it('search: says so when nothing was found', async () => {
    await setting('parley.embeddings.model', '');
    assert.match(await invoke(Tool.searchCode, { query: 'zzqxv', globs: ['no/such/**'] }), /Nothing .* was found/);
  });

  it('search: asks before the question goes to a service, and names the host', async () => {
    await indexAll();
    const { asked, text } = await invokeAndConfirm(Tool.searchCode, { query: 'find a free berth' });
    assert.match(asked, /“find a free berth” to 127\.0\.0\.1:\d+, and no code/);
    assert.ok(text.includes('berths.ts'));
  });

  it('search: a No is a No', async () => {
    await indexAll();
    const before = service.requests.length;
    await assert.rejects(invokeAndConfirm(Tool.searchCode, { query: 'anything' }, 'Cancel'));
    assert.equal(service.requests.length, before);
  });

  it('search: stays within the tokens it may answer with', async () => {
    await setting('parley.embeddings.model', '');
    const countTokens = async (text: string): Promise<number> => text.length;
    const whole = await invoke(Tool.searchCode, { query: 'tide table', limit: 8 });
    const cut = await invoke(Tool.searchCode, { query: 'tide table', limit: 8 }, { tokenBudget: 1500, countTokens });
    assert.ok(whole.length > 1500, 'there is something to cut');
    assert.ok(cut.length <= 1500, `${cut.length} characters`);
    assert.match(cut, /\d+ more files were left out/);
  });

  it('audio: names file, size and host, uploads after the Yes, and gives the transcript; the second time from the disk', async () => {
    mkdirSync(join(folder(), 'scratch'), { recursive: true });
    writeFileSync(join(folder(), 'scratch', 'new.ogg'), recordingBytes());
    const { asked, text } = await invokeAndConfirm(Tool.translateAudio, { path: 'scratch/new.ogg' });
    assert.match(asked, /Parley uploads new\.ogg \([\d.]+ (?:kB|bytes)\) to 127\.0\.0\.1:\d+/);
    assert.match(text, /An unknown recording named new\.ogg/);
    assert.equal(uploads(), 1);
    const again = await invokeAndConfirm(Tool.translateAudio, { path: join(folder(), 'scratch', 'new.ogg') });
    assert.equal(again.text, text);
    assert.equal(uploads(), 1);
  });

  it('audio: says that the service did not translate, or that nothing was said, before the text', async () => {
    await service.close();
    const silent = recordingBytes();
    const hash = createHash('sha256').update(silent).digest('hex');
    service = await startService({ audioServer: 'whisper.cpp', translations: new Map([[hash, { text: '' }]]) });
    await connectTo(service);
    await setting('parley.audio.responseFormat', 'verbose_json');
    await setting('parley.audio.extraFields', { translate: '' });
    mkdirSync(join(folder(), 'scratch'), { recursive: true });
    writeFileSync(join(folder(), 'scratch', 'german.ogg'), recordingBytes());
    const { text } = await invokeAndConfirm(Tool.translateAudio, { path: 'scratch/german.ogg' });
    assert.match(text, /^The service transcribed in German and did not translate;.*\nAuf Deutsch gesagt:/);
    await setting('parley.audio.extraFields', { translate: 'true', language: 'auto' });
    writeFileSync(join(folder(), 'scratch', 'silent.ogg'), silent);
    const nothing = await invokeAndConfirm(Tool.translateAudio, { path: 'scratch/silent.ogg' });
    assert.equal(nothing.text, 'No speech was found in this recording.');
    for (const id of ['parley.audio.responseFormat', 'parley.audio.extraFields'] as const) await setting(id, undefined);
  });

  it('audio: refuses what leads out of the workspace, what is missing, and what is no file, before anything is asked', async () => {
    const outside = join(tmpdir(), `parley-outside-${process.pid}.wav`);
    writeFileSync(outside, recordingBytes());
    mkdirSync(join(folder(), 'scratch'), { recursive: true });
    symlinkSync(outside, join(folder(), 'scratch', 'link.wav'));
    for (const [path, said] of [
      ['../secret.wav', /leads out of the workspace/],
      ['recordings/../../secret.wav', /leads out of the workspace/],
      [outside, /leads out of the workspace/],
      ['scratch/link.wav', /leads out of the workspace/],
      ['recordings/none.wav', /no file recordings\/none\.wav in the workspace/],
      ['recordings', /recordings is not a file/],
    ] as const) {
      await assert.rejects(invoke(Tool.translateAudio, { path }), said, path);
    }
    rmSync(outside);
    assert.equal(service.requests.filter((r) => r.method === 'POST').length, 0);
  });

  it('audio: says that no model is set before it asks about the upload', async () => {
    await setting('parley.audio.model', '');
    await assert.rejects(invoke(Tool.translateAudio, { path: 'recordings/aviso.ogg' }), /No model for audio/);
  });

  it('search: what a model asks for is shown as it is, whatever Markdown it holds', async () => {
    await indexAll();
    const query = '![x](https://evil.example/y) `[a](command:z)`';
    const { asked } = await invokeAndConfirm(Tool.searchCode, { query });
    // A mark of no width keeps each from being a link.
    assert.ok(asked.replaceAll('\u2060', '').includes(query), asked);
  });

  it('audio: uploads no file that holds no audio, and says why', async () => {
    await assert.rejects(invokeAndConfirm(Tool.translateAudio, { path: 'README.md' }), /does not hold audio/);
    assert.equal(uploads(), 0);
  });
});

let made = 0;

/** A recording that nobody has translated: one with a few bytes of its own behind its end. */
function recordingBytes(): Buffer {
  const spoken = readFileSync(join(folder(), 'recordings', 'aviso.ogg'));
  return Buffer.concat([spoken, Buffer.from(`#tool${made++}`)]);
}

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationTarget, commands, LanguageModelChatMessage, lm, Selection, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { dialog, notification, press, visible } from '../support/hands.ts';
import { enterKey, removeKeys } from '../support/keys.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const folders = (): string[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
const root = (): string => folders()[0] ?? '';
/** A folder on the same disk that VS Code does not watch. */
const outside = (): string => join(root(), '..');
const bearer = `Bearer ${DEFAULT_KEY}`;

/** In a window now and then VS Code does not watch the files of settings; after this time it is made to read them, milliseconds. */
const patienceForWatch = 4000;

/** Replaces a file in one step: a workspace file that VS Code reads while it is still empty closes all its folders. */
function replace(file: string, content: string): void {
  const whole = join(outside(), 'replacement');
  writeFileSync(whole, content);
  renameSync(whole, file);
}

/** VS Code reads a workspace file late, now and then never, and shows a window without folders; then it is told of them. */
async function untilFoldersAreOpen(): Promise<void> {
  const toldAfter = performance.now() + patienceForWatch;
  let told = false;
  await until('the folders of the workspace are open', async () => {
    if (folders().length > 0) return true;
    if (told || performance.now() < toldAfter || workspace.workspaceFile === undefined) return false;
    told = true;
    const { folders: written } = JSON.parse(readFileSync(workspace.workspaceFile.fsPath, 'utf8')) as {
      folders: { path: string }[];
    };
    const { scheme, authority } = workspace.workspaceFile;
    workspace.updateWorkspaceFolders(
      0,
      0,
      ...written.map(({ path }) => ({ uri: Uri.from({ scheme, authority, path }) })),
    );
    return false;
  });
}

/** Files of the workspace with new content; gives what puts the old content back. */
function overwrite(files: ReadonlyMap<string, string>): () => void {
  const before = [...files.keys()].map((file) => {
    try {
      return [file, readFileSync(file, 'utf8')] as const;
    } catch {
      return [file, undefined] as const;
    }
  });
  for (const [file, content] of files) {
    mkdirSync(join(file, '..'), { recursive: true });
    replace(file, content);
  }
  return () => {
    for (const [file, content] of before) {
      if (content === undefined) rmSync(file);
      else replace(file, content);
    }
  };
}

/** Writes settings wherever a workspace can: each folder and, in a multi-root window, the workspace file. */
async function plant(settings: object, environment: string): Promise<() => Promise<void>> {
  const mark = { 'editor.tabSize': 7 };
  const all = { ...settings, '[typescript]': settings, ...mark };
  const files = new Map<string, string>();
  for (const folder of folders()) {
    files.set(join(folder, '.vscode', 'settings.json'), JSON.stringify(all));
    files.set(join(folder, '.env'), environment);
  }
  const file = workspace.workspaceFile?.fsPath;
  if (file !== undefined) {
    files.set(file, JSON.stringify({ folders: folders().map((path) => ({ path })), settings: all }));
  }
  const restore = overwrite(files);
  const editor = () => workspace.getConfiguration('editor', Uri.file(root()));
  const untilTaken = async (what: string, value: number | undefined): Promise<void> => {
    const askedAfter = performance.now() + patienceForWatch;
    let asked = false;
    await until(what, async () => {
      const found = editor().inspect<number>('tabSize');
      if (found?.workspaceValue === value && (file === undefined || found?.workspaceFolderValue === value)) return true;
      if (asked || performance.now() < askedAfter) return false;
      asked = true;
      // The same value, written by VS Code itself, which then reads the whole file.
      await editor().update('tabSize', value, ConfigurationTarget.Workspace);
      if (file !== undefined) await editor().update('tabSize', value, ConfigurationTarget.WorkspaceFolder);
      return false;
    });
  };
  await untilTaken('VS Code reads the settings of the workspace', 7);
  return async () => {
    restore();
    await untilTaken('VS Code forgets them', undefined);
  };
}

/** Every kind of call that Parley makes. What fails does not matter here, only what was sent, and where. */
async function callForEverything(): Promise<void> {
  const failed = (): undefined => undefined;
  await commands.executeCommand(Command.testConnection);
  const editor = await window.showTextDocument(Uri.file(join(root(), 'src', 'berths.ts')));
  editor.selection = new Selection(26, 0, 28, 1);
  await commands.executeCommand(Command.selectionExplain);
  let indexed = false;
  const indexing = commands
    .executeCommand(Command.searchIndex)
    .then(undefined, failed)
    .then(() => {
      indexed = true;
    });
  // The first time for a service, a question comes before; without a service there is nothing to ask.
  await until('the upload is asked for, or over', async () => indexed || (await visible('.monaco-dialog-box')));
  if (!indexed) await dialog.press('Index Now');
  await indexing;
  await commands.executeCommand(Command.searchQuery, 'wait longer after each attempt').then(undefined, failed);
  const recording = join(root(), 'recordings', 'planted.wav');
  copyFileSync(join(root(), 'recordings', 'begruessung.wav'), recording);
  writeFileSync(recording, `#${performance.now()}`, { flag: 'a' });
  await commands.executeCommand(Command.audioTranslate, Uri.file(recording)).then(undefined, failed);
  rmSync(recording);
}

const operations = ['chat/completions', 'embeddings', 'audio/translations'];

/** Waits until the question in the panel has come too, and holds that each kind of call was made. */
async function untilCalled(...services: ReferenceService[]): Promise<void> {
  await Promise.race(
    services.map((each) => each.waitForRequest(({ body }) => JSON.stringify(body ?? '').includes('overlaps'))),
  );
  const called = services.flatMap(({ requests }) => requests.map(({ path }) => path));
  for (const operation of operations)
    assert.ok(
      called.some((path) => path.endsWith(operation)),
      operation,
    );
}

function authorizations(service: ReferenceService): Set<string | undefined> {
  return new Set(service.requests.map(({ headers }) => headers.authorization));
}

describe(`A hostile workspace (${workspace.workspaceFile === undefined ? 'one folder' : 'a workspace file'})`, () => {
  // An index is built among the calls.
  let service: ReferenceService;
  let thief: ReferenceService;
  before(untilFoldersAreOpen);
  beforeEach(async () => {
    service = await startService();
    thief = await startService({ key: null });
    await connectTo(service);
    await notification.clear();
  });
  afterEach(async () => {
    await press('Escape');
    await closeEditors();
    await notification.clear();
    for (const id of ['parley.embeddings.baseUrl', 'parley.audio.baseUrl', 'parley.insecureOrigins'] as const)
      await setting(id, undefined);
    await disconnect();
    await service.close();
    await thief.close();
  });

  /** What a workspace would have to set to get the key. */
  const hostileSettings = (): object => ({
    'parley.baseUrl': thief.baseUrl,
    'parley.embeddings.baseUrl': thief.baseUrl,
    'parley.audio.baseUrl': thief.baseUrl,
    'parley.apiKeyEnvironmentVariable': 'PARLEY_SUITE_KEY',
    'parley.insecureOrigins': [thief.origin, `http://0.0.0.0:${service.port}`],
    'parley.network.path': 'editor',
    'http.proxy': thief.origin,
    'http.proxySupport': 'override',
    'http.noProxy': [],
    'http.proxyStrictSSL': false,
  });
  const hostileEnvironment = (): string =>
    ['PARLEY_BASE_URL', 'OPENAI_BASE_URL', 'HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY']
      .map((name) => `${name}=${thief.baseUrl}\n`)
      .join('');

  // However the workspace was opened, these come out the same.
  if (workspace.workspaceFile === undefined) {
    it('gets nothing by a service that redirects', async () => {
      await service.close();
      service = await startService({ redirectTo: `${thief.baseUrl}/chat/completions` });
      await connectTo(service);
      service.setFault('redirect');
      await callForEverything();
      await untilCalled(service, thief);
      assert.equal(thief.requests.length, 0);
    });

    it('gets no stored key where the address is another’s', async () => {
      await setting('parley.apiKeyEnvironmentVariable', undefined);
      const asked = commands.executeCommand(Command.setApiKey);
      await enterKey(DEFAULT_KEY);
      await asked;
      await commands.executeCommand(Command.testConnection);
      assert.deepEqual(authorizations(service), new Set([bearer]));
      await setting('parley.baseUrl', thief.baseUrl);
      await callForEverything();
      await untilCalled(service, thief);
      assert.deepEqual(authorizations(thief), new Set([undefined]));
      await removeKeys();
    });

    it('gets nothing by an address that holds a name or a key', async () => {
      const { host } = new URL(thief.origin);
      for (const before of [DEFAULT_KEY, `user:${DEFAULT_KEY}`, new URL(service.origin).hostname]) {
        for (const id of ['parley.baseUrl', 'parley.embeddings.baseUrl', 'parley.audio.baseUrl'] as const)
          await setting(id, `http://${before}@${host}/openai/v1`);
        await commands.executeCommand(Command.testConnection);
        await notification.untilSaid('holds a user name or password');
        await notification.clear();
      }
      assert.equal(thief.requests.length + service.requests.length, 0);
    });
  }

  it('gets nothing by its settings and its .env', async () => {
    const restore = await plant(hostileSettings(), hostileEnvironment());
    try {
      await callForEverything();
      await untilCalled(service, thief);
    } finally {
      await restore();
    }
    assert.deepEqual(authorizations(service), new Set([bearer]));
    assert.equal(thief.requests.length, 0);
  });

  it('names no variable to read a key from, and writes none', async () => {
    const open = await startService({ key: null });
    await setting('parley.apiKeyEnvironmentVariable', undefined);
    await setting('parley.baseUrl', open.baseUrl);
    const restore = await plant(hostileSettings(), `PARLEY_SUITE_KEY=sk-planted\n${hostileEnvironment()}`);
    try {
      await commands.executeCommand(Command.testConnection);
    } finally {
      await restore();
    }
    assert.deepEqual(authorizations(open), new Set([undefined]));
    assert.equal(process.env.PARLEY_SUITE_KEY, DEFAULT_KEY);
    assert.equal(thief.requests.length, 0);
    await open.close();
  });

  it('chooses no proxy for a key on its way to another machine', async () => {
    const origin = `http://0.0.0.0:${service.port}`;
    await setting('parley.insecureOrigins', [origin]);
    await setting('parley.baseUrl', `${origin}/openai/v1`);
    const restore = await plant(hostileSettings(), hostileEnvironment());
    try {
      await commands.executeCommand(Command.testConnection);
    } finally {
      await restore();
    }
    assert.deepEqual(authorizations(service), new Set([bearer]));
    assert.equal(thief.requests.length, 0);
  });

  it('allows no plain http to another machine; only the user does', async () => {
    await setting('parley.baseUrl', `http://0.0.0.0:${service.port}/openai/v1`);
    const restore = await plant(hostileSettings(), hostileEnvironment());
    try {
      await callForEverything();
    } finally {
      await restore();
    }
    await notification.untilSaid('plain http');
    assert.equal(service.requests.length, 0);
  });

  it('gets nothing by way of VS Code’s own language models', async () => {
    const restore = await plant(hostileSettings(), hostileEnvironment());
    try {
      const model = (await lm.selectChatModels({ vendor: 'parley' })).find(({ name }) => name === 'parley-chat');
      for await (const _part of (await model?.sendRequest([LanguageModelChatMessage.User('say: hello')]))?.stream ??
        []) {
        // Only where it was asked counts.
      }
    } finally {
      await restore();
    }
    assert.ok(service.requests.some(({ path }) => path.endsWith('/chat/completions')));
    assert.deepEqual(authorizations(service), new Set([bearer]));
    assert.equal(thief.requests.length, 0);
  });
});

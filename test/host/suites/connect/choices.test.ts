/** What *Connect* offers, and what Enter takes of it. */
import assert from 'node:assert/strict';
import { commands, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import {
  dialog,
  inputBox,
  notification,
  press,
  quickPick,
  screenshot,
  text,
  visible,
  waitFor,
} from '../support/hands.ts';
import { enterKey, removeKeys } from '../support/keys.ts';
import { disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const read = (id: string): unknown => workspace.getConfiguration().get(id);
const activeRow = (): Promise<string> => text('.quick-input-list .monaco-list-row.focused');
const composer = { frame: '.composer' };

/** A catalogue as a router of many services has it. */
const catalogue = Array.from({ length: 3_000 }, (_, i) => ({ id: `vendor-${i % 40}/model-${i}`, object: 'model' }));

/** Escape closes what hovers over the rows first, wherever the mouse was left. */
const close = (): Thenable<unknown> => commands.executeCommand('workbench.action.closeQuickOpen');

describe('Connect', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ listed: [...catalogue, { id: 'Qwen/Qwen3-Coder-30B', object: 'model' }] });
    await removeKeys();
    await notification.clear();
  });
  after(async () => {
    await disconnect();
    await removeKeys();
    await service.close();
    await notification.clear();
    await closeEditors();
  });

  async function enterAddress(): Promise<void> {
    await quickPick.untilAsked('https://host/openai/v1');
    await quickPick.filter(service.baseUrl);
    await quickPick.choose(`Use ${service.baseUrl}`);
  }

  it('finds a model among 3,000 by words that stand apart, and brings the chat into sight', async () => {
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
    const running = commands.executeCommand(Command.connect);
    await enterAddress();
    await enterKey(DEFAULT_KEY);
    await quickPick.untilAsked('The model that chats');
    await quickPick.untilListed('parley-chat');
    await quickPick.filter('no such thing');
    await until('a name that is not listed is told to be none', async () =>
      /Use “no such thing”\s*not in the list of the service/.test(await activeRow()),
    );
    await quickPick.filter('qwen3 coder');
    await until('the model is found', async () => (await activeRow()).startsWith('Qwen/Qwen3-Coder-30B'));
    await quickPick.filter('parley chat');
    await until('another is', async () => (await activeRow()).startsWith('parley-chat'));
    await press('Enter');
    await quickPick.untilAsked('The model that embeds code, for search by meaning');
    await quickPick.untilListed('None: search by keywords only');
    assert.equal((await quickPick.items())[0], 'None: search by keywords only');
    await quickPick.choose('None: search by keywords only');
    await quickPick.untilAsked('The model that translates recordings');
    await until('what the test costs is said', async () =>
      (await text('.quick-input-widget')).includes('a few tokens'),
    );
    await screenshot('connect-none-first');
    await quickPick.choose('None: no audio translation');
    await running;
    await notification.untilSaid('Chat works');
    assert.equal(read('parley.chat.model'), 'parley-chat');
    await waitFor('.box', composer);
    assert.ok(await visible('.part.auxiliarybar'));
  });

  it('leads on to the resource of an address that has one, and offers no address with the placeholder', async () => {
    const running = commands.executeCommand(Command.connect);
    await quickPick.untilAsked('https://host/openai/v1');
    await quickPick.filter('Azure');
    await until('it is the one', async () => (await activeRow()).startsWith('Azure OpenAI'));
    await press('Enter');
    await until('the name is asked for', async () =>
      (await text('.quick-input-widget')).includes('Put the name of your resource'),
    );
    await press('Enter');
    assert.ok(await visible('.quick-input-widget'));
    await quickPick.filter('https://mine.openai.azure.com/openai/v1');
    await quickPick.untilListed('Use https://mine.openai.azure.com/openai/v1');
    await close();
    await running;
  });

  it('says how a model is started where none runs on this machine', async () => {
    const running = commands.executeCommand(Command.connect);
    await quickPick.untilAsked('https://host/openai/v1');
    await quickPick.untilListed('Start a Model on This Machine…');
    await screenshot('connect-local-help');
    // The mouse would open the hover over the rows.
    await quickPick.filter('start a model');
    await until('it is the one', async () => (await activeRow()).startsWith('Start a Model'));
    await press('Enter');
    await running;
    await until('the page is shown', () => visible('.tab[aria-label*="connect.md"]'));
  });

  it('sends no key over plain http when Enter is pressed', async () => {
    const running = commands.executeCommand(Command.connect);
    await quickPick.untilAsked('https://host/openai/v1');
    const address = `http://0.0.0.0:${service.port}/openai/v1`;
    await quickPick.filter(address);
    await until('it is the one', async () => (await activeRow()).startsWith(`Use ${address}`));
    await press('Enter');
    assert.match(await dialog.text(), /over plain http/);
    await press('Enter');
    await until('the address is asked for again', async () =>
      (await text('.quick-input-widget')).includes('plain http'),
    );
    assert.equal(await inputBox.isPassword(), false);
    assert.deepEqual(read('parley.insecureOrigins'), []);
    await close();
    await running;
  });
});

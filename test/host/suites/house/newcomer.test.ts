/** The way of somebody who has just installed Parley: to the first answer, the first hit and the first transcript. */
import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import {
  click,
  fill,
  notification,
  press,
  quickPick,
  rightClick,
  screenshot,
  text,
  type,
  visible,
  waitFor,
} from '../support/hands.ts';
import { removeKeys } from '../support/keys.ts';
import { disconnect, startService } from '../support/service.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

/** More is what people give up on. */
const mostClicks = 9;
/** The words of a page: what is read before the first transcript. */
const mostWords = 400;

describe('A newcomer', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const recording = join(root, 'memo.ogg');
  const clicks: string[] = [];
  const read: string[] = [];
  let service: ReferenceService;

  before(async () => {
    service = await startService();
    await removeKeys();
    await copyFile(join(root, 'recordings', 'aviso.ogg'), recording);
    await commands.executeCommand('workbench.action.closeAuxiliaryBar');
  });
  after(async () => {
    await rm(recording, { force: true });
    await disconnect();
    await removeKeys();
    await service.close();
    await notification.clear();
    await closeEditors();
  });

  async function clickOn(what: string, act: Promise<void>): Promise<void> {
    await act;
    clicks.push(what);
  }
  /** What stands there is read before anything is done. */
  async function readThere(selector: string, where: Parameters<typeof text>[1] = {}): Promise<void> {
    read.push(await text(selector, where));
  }
  async function answerQuestion(placeholder: string, typed: string, listed?: string): Promise<void> {
    await quickPick.untilAsked(placeholder);
    await readThere('.quick-input-widget .quick-input-title');
    await readThere('.quick-input-widget .quick-input-message');
    if (typed !== '') await quickPick.filter(typed);
    if (listed !== undefined) await quickPick.untilListed(listed);
    await press('Enter');
  }

  it('connects by the entry of the status bar, and has an answer', async () => {
    await clickOn('Parley, in the status bar', click('.statusbar-item[id="parley.parley.parley.chat"] a'));
    await waitFor('.welcome', { frame: '.welcome', place: 'view' });
    await readThere('.welcome', { frame: '.welcome', place: 'view' });
    await clickOn('Connect', click('.welcome .button', { frame: '.welcome', place: 'view' }));
    await answerQuestion('https://host/openai/v1', service.baseUrl, `Use ${service.baseUrl}`);
    await until('the key is asked for', async () =>
      (await text('.quick-input-widget .quick-input-title')).includes('2/5'),
    );
    await readThere('.quick-input-widget .quick-input-message');
    await fill('.quick-input-widget .quick-input-box input', DEFAULT_KEY);
    await press('Enter');
    await answerQuestion('The model that chats', '', 'parley-chat');
    await answerQuestion('The model that embeds code, for search by meaning', 'parley-embed', 'parley-embed');
    await answerQuestion('The model that translates recordings', 'parley-whisper', 'parley-whisper');
    await until('the caret is in the message box', () => visible('.box:focus', { frame: '.box', place: 'view' }));
    await type('say: the first answer');
    await press('Enter');
    read.push(await notification.untilSaid('Chat works'));
    await notification.clear();
    await chat.untilAnswered('the first answer');
    await screenshot('newcomer-answer');
  });

  it('has a hit by meaning', async () => {
    await clickOn('Code Search', click('.activitybar [aria-label^="Code Search"]'));
    await readThere('.pane-body .welcome-view');
    await clickOn('Index Workspace', click('.welcome-view .monaco-button:has-text("Index Workspace")'));
    await waitFor('.monaco-dialog-box .dialog-message-container');
    await readThere('.monaco-dialog-box');
    await clickOn('Index Now', click('.monaco-dialog-box .monaco-button:has-text("Index Now")'));
    read.push(await notification.untilSaid('Indexed'));
    await notification.clear();
    await clickOn(
      'Search',
      click('[aria-label="Search Code by Meaning…"], [aria-label^="Search"].action-label.codicon-search'),
    );
    await waitFor('.quick-input-widget .quick-input-box input');
    await quickPick.filter('how deep the water is');
    await waitFor('.quick-input-list .monaco-list-row:has-text("berths.ts")');
    await screenshotInThemes('newcomer-hit');
    await press('Escape');
  });

  it('has a transcript', async () => {
    await clickOn('Explorer', click('.activitybar [aria-label^="Explorer"]'));
    await clickOn(
      'memo.ogg, with the right button',
      rightClick('.explorer-viewlet .monaco-list-row:has-text("memo.ogg")'),
    );
    const entry = '.monaco-menu .action-label:text-is("Translate to English")';
    await waitFor(entry);
    // A menu ignores a click that comes right after it has opened.
    await until('it is chosen', async () => {
      if (!(await visible(entry))) return true;
      await click(entry, { timeout: 500 }).catch(() => {});
      return false;
    });
    clicks.push('Translate to English');
    await waitFor('h1', { frame: 'h1:text-is("memo.ogg")' });
    await screenshot('newcomer-transcript');
  });

  it('has clicked nine times at most, and read a page', () => {
    const words = read.join(' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    console.log(`A newcomer: ${clicks.length} clicks (${clicks.join(' · ')}), ${words} words to read.`);
    assert.ok(clicks.length <= mostClicks, clicks.join('\n'));
    assert.ok(words <= mostWords, `${words} words:\n${read.join('\n')}`);
  });
});

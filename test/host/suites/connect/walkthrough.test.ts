/** Runs before all suites that try a connection: a step that is done stays done. */
import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { closeEditors } from '../support/editors.ts';
import { attribute, notification } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('The walkthrough', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
    await connectTo(service);
    await notification.clear();
  });
  after(async () => {
    await disconnect();
    await service.close();
    await notification.clear();
    await closeEditors();
  });

  it('ticks its first step when a test call went well, not before', async () => {
    await commands.executeCommand('workbench.action.openWalkthrough', 'parley.parley#parley.start', false);
    const isDone = () => attribute('[data-done-step-id="parley.parley#parley.start#parley.connect"]', 'aria-checked');
    await setting('parley.chat.model', 'fault-500');
    await commands.executeCommand(Command.testConnection);
    await notification.untilSaid('failed with status 500');
    assert.equal(await isDone(), 'false');
    await setting('parley.chat.model', 'parley-chat');
    await commands.executeCommand(Command.testConnection);
    await until('the step is done', async () => (await isDone()) === 'true');
  });
});

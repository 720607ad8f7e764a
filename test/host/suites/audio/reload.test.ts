/** What `beforeReload.ts` has left of a long recording. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { commands } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { interruptedFile, portFile } from '../beforeReload.ts';
import { click, hover, notification, screenshot, text, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const row = '[id="workbench.view.explorer"] .customview-tree .monaco-list-row:has-text("interrupted.wav")';

describe('A recording that was on its way, after a reload of the window', () => {
  let service: ReferenceService;

  before(async () => {
    // The same address: another one may be another service.
    service = await startService({ port: Number(readFileSync(portFile(), 'utf8')) });
    await connectTo(service);
  });
  after(async () => {
    await commands.executeCommand(Command.audioClear);
    await setting('parley.audio.uploadLimit', undefined);
    await disconnect();
    await service.close();
    for (const path of [interruptedFile(), portFile()]) rmSync(path);
  });

  it('is listed as interrupted, sends nothing by itself, and goes on with the piece that is missing', async () => {
    await commands.executeCommand('workbench.view.explorer');
    await commands.executeCommand('parley.translations.focus');
    await waitFor(row);
    assert.match(await text(row), /interrupted · 3 of \d+ pieces/);
    await notification.clear();
    await screenshot('audio-interrupted');
    const uploads = () => service.requests.filter(({ path }) => path.endsWith('/audio/translations'));
    assert.equal(uploads().length, 0);
    await hover(row);
    await click(`${row} .action-label[aria-label^="Resume Translation"]`);
    await until('it is translated', async () => (await text(row)).includes('translated'));
    assert.equal(uploads().length, 1);
  });
});

/** Measures, for `npm run bench -- panel`, how soon the drawer follows what is typed into the request as JSON. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { commands, Selection, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { fill, press, value, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Keys that are typed; the first is not counted. */
const keys = '123456789012';

describe('Figures of the request as JSON', () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
  });
  after(async () => {
    await closeEditors();
    await service.close();
    await disconnect();
  });

  it('of a key until the drawer has its value', async () => {
    await commands.executeCommand(Command.chatParameters);
    await waitFor('#field-seed', { frame });
    await fill('#field-seed', '7', { frame });
    await press('Tab');
    await commands.executeCommand(Command.chatRequest);
    const document = await until('it is open', () => {
      const open = window.activeTextEditor?.document;
      return open?.fileName.endsWith('Request.json') ? open : undefined;
    });
    await until('it has the seed', () => document.getText().includes('"seed": 7'));
    const end = document.positionAt(document.getText().indexOf('"seed": 7') + '"seed": 7'.length);
    await window.showTextDocument(document, { selection: new Selection(end, end), preserveFocus: false });
    await waitFor('.monaco-editor.focused');
    const times: number[] = [];
    let shown = '7';
    for (const key of keys) {
      shown += key;
      const before = performance.now();
      await press(key);
      // Each look takes a few milliseconds, and is counted.
      for (let looks = 0; (await value('#field-seed', { frame })) !== shown; looks++)
        assert.ok(looks < 2_000, document.getText());
      times.push(performance.now() - before);
    }
    const looked = performance.now();
    await value('#field-seed', { frame });
    const lookMs = performance.now() - looked;
    const sorted = times.slice(1).sort((left, right) => left - right);
    const figures = { median: sorted[Math.floor(sorted.length / 2)], slowest: sorted.at(-1), lookMs };
    await writeFile(process.env.PARLEY_TEST_FIGURES ?? '', JSON.stringify(figures));
  });
});

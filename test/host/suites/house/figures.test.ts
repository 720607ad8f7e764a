/** Measures, for `npm run bench -- start`, what the start of VS Code has to do for Parley. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { commands, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { subject } from '../support/subject.ts';
import { until } from '../support/until.ts';

describe('Figures of the start', () => {
  it('of the activation and of the first use', async () => {
    await subject().activate();
    // VS Code's own report: a table with `Eager`, `Load Code`, `Call Activate`, `Finish Activate` of each extension.
    await commands.executeCommand('perfview.show');
    const row = await until('the row of Parley', () => {
      const lines = window.activeTextEditor?.document.getText().split('\n') ?? [];
      return lines.find((line) => line.includes('parley.parley') && /(?:\|\s*\d+\s*){3}/.test(line));
    });
    const [load, call, finish] = [...row.matchAll(/\|\s*(\d+)\s*(?=\|)/g)].map(([, count]) => Number(count));
    assert.ok(load !== undefined && call !== undefined && finish !== undefined, row);
    const before = performance.now();
    await commands.executeCommand(Command.showLog);
    const firstUse = performance.now() - before;
    await writeFile(
      process.env.PARLEY_TEST_FIGURES ?? '',
      JSON.stringify({ activate: load + call + finish, firstUse }),
    );
  });
});

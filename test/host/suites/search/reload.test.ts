import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import { untilReportIsDrawn } from '../beforeReload.ts';
import { entry, view } from '../support/codeIndex.ts';
import { screenshot, texts, visible, waitFor } from '../support/hands.ts';
import { until } from '../support/until.ts';

const button = (label: string): string => `${view} .monaco-button:has-text("${label}")`;

describe('After a reload of the window', () => {
  it('the state of the index on the disk is shown before anything is searched, and the view offers no indexing', async () => {
    await until('the status bar tells the files', async () => /^\s*\d+ files\s*$/.test((await texts(entry)).join()));
    await waitFor(button('Search Code by Meaning'));
    await until('nothing is left to index', async () => !(await visible(button('Index Workspace'))));
    await screenshot('search-reloaded');
  });

  it('the tab of the Index Report shows the report, made anew', untilReportIsDrawn);

  it('a tab of what would be sent tells what would be sent now', async () => {
    const document = await workspace.openTextDocument(
      Uri.from({ scheme: 'parley-index', path: '/Before Indexing.txt' }),
    );
    assert.match(document.getText(), /^Would be sent\n\n[\s\S]*5 files that are not text/);
  });
});

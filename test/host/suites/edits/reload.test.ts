/** What `beforeReload.ts` has left of a review. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { commands, type TextDocument, Uri, window, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { reviewedFile, reviewedText } from '../beforeReload.ts';
import { press, screenshot, waitFor } from '../support/hands.ts';
import { lensTitles } from '../support/lenses.ts';
import { until } from '../support/until.ts';

const accepted = reviewedText.replace('tide', 'flood');

describe('A review, after a reload of the window', () => {
  /** Opens the review as the lens above its first change does. */
  async function review(): Promise<TextDocument> {
    await commands.executeCommand(Command.editReview, Uri.file(reviewedFile()));
    return until('the review', () =>
      window.visibleTextEditors.map(({ document }) => document).find(({ uri }) => uri.scheme === 'parley-edit'),
    );
  }

  it('is listed, and the file leads to it, with the changes that are not decided on', async () => {
    const file = Uri.file(reviewedFile());
    await waitFor('.pane:has-text("Proposed Changes") .monaco-list-row:has-text("rename tide to flood")');
    await workspace.openTextDocument(file);
    await until('its lenses', async () => (await lensTitles(file)).includes('Review 2 Changes'));
    const shown = await review();
    assert.equal(
      shown.getText(),
      accepted.replace('use(tide);', '$&\nuse(flood);').replace('end(tide);', '$&\nend(flood);'),
    );
    await until('its lenses', async () => (await lensTitles(shown.uri)).includes('Accept All 2'));
    await screenshot('review-reloaded');
  });

  it('goes on, and Restore takes the file back to what it was before the set, which was before the reload', async () => {
    await review();
    await waitFor('.codelens-decoration:has-text("Accept All 2")');
    await press('Control+Shift+Enter');
    const document = await workspace.openTextDocument(reviewedFile());
    await until('all of it is written', () => document.getText() === reviewedText.replaceAll('tide', 'flood'));
    void commands.executeCommand(Command.editRestore);
    await waitFor('.quick-input-list .monaco-list-row:has-text("rename tide to flood")');
    await press('Enter');
    await until('it is as before', () => document.getText() === reviewedText);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    rmSync(reviewedFile());
  });
});

/** What `beforeReload.ts` has left of the chat. */
import assert from 'node:assert/strict';
import { window } from 'vscode';
import { tab } from '../beforeReload.ts';
import { click, screenshot, texts, value, waitFor } from '../support/hands.ts';

describe('After a reload of the window', () => {
  it('the tab of a conversation comes back with its title, its messages, its draft and its place', async () => {
    // Another tab was opened over it.
    await click('.tab:has-text("count to 1500")');
    await waitFor('.latest', tab);
    assert.deepEqual(await texts('.question-text', tab), ['count to 1500']);
    assert.equal(await value('.box', tab), 'a draft');
    const labels = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(labels.includes('count to 1500'), labels.join());
    await screenshot('tab-reloaded');
  });
});

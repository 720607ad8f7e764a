import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { DrawerView } from '../../src/webview/shared/protocol/drawerProtocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, connected, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const drawer: DrawerView = {
  fields: {
    temperature: { own: '0.3' },
    max_tokens: { inSettings: '2048' },
    stream: { inSettings: 'true' },
    seed: {
      own: '42',
      isOff: true,
      remark: 'This model does not take the request field “seed”; Parley leaves it out from now on.',
    },
  },
  extra: [
    { name: 'top_k', value: '40' },
    { name: 'seed', value: '1', remark: 'This conversation has its own.', isOff: true },
    { name: 'provider', value: '{"order":["one","another"],"allow_fallbacks":false}' },
  ],
  files: [
    { id: 'f1', label: 'AGENTS.md', isSent: true },
    { id: 'f2', label: 'a-very-long-folder-name/with/another-one/copilot-instructions.md', isSent: false },
  ],
  hasSystemPrompt: true,
  hasModel: true,
};
const none: DrawerView = { fields: {}, extra: [], files: [], hasSystemPrompt: false, hasModel: false };

describe('The drawer of parameters', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  }, 800);

  const field = (label: string) => window.page.getByLabel(label, { exact: true });
  const section = () => window.page.getByRole('region', { name: 'Parameters', exact: true });
  const open = async (state = drawer): Promise<void> => {
    await chat.show([question('q', 'When is high water?'), answer('a', 'At six.')], { drawer: state });
    await window.page.getByRole('button', { name: 'Parameters of This Conversation' }).click();
  };
  const sent = async () => (await chat.posted()).filter(({ type }) => type === 'setField');

  for (const theme of themeNames) {
    it('shows what the settings add to each request, to be read there and set in the settings', async () => {
      await open();
      const fieldset = window.page.locator('fieldset', { hasText: 'From the Settings' });
      assert.deepEqual(await fieldset.locator('dt').allInnerTexts(), ['top_k', 'seed', 'provider']);
      assert.deepEqual(
        await fieldset.locator('.extra-value').allInnerTexts(),
        drawer.extra.map(({ value }) => value),
      );
      assert.equal(await fieldset.locator('dd').nth(1).innerText(), '1\n\nThis conversation has its own.');
      assert.equal(await fieldset.locator('input, textarea, select').count(), 0);
      await fieldset.getByRole('button', { name: 'Open Setting' }).click();
      assert.deepEqual((await chat.posted()).at(-1), { type: 'openExtraBody' });
      await window.page.screenshot({ path: join(pictures, 'drawer-extra.png') });
      const hostile = [{ name: '<b>x</b>', value: '"<img src=x onerror=alert(1)>"' }];
      await chat.send({ type: 'state', state: { ...connected, drawer: { ...none, extra: hostile } } });
      assert.equal(await fieldset.locator('b, img').count(), 0);
      await chat.send({ type: 'state', state: { ...connected, drawer: none } });
      assert.equal(await fieldset.isVisible(), false);
      assert.deepEqual(chat.escapes, []);
    });

    it(`is clean for readers in the theme ${theme}, also where it is narrow`, async () => {
      await chat.theme(theme);
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 800 });
        await open();
        await chat.send({ type: 'fieldProblem', name: 'top_p', problem: 'A number from 0 to 1.' });
        await window.page.screenshot({ path: join(pictures, `drawer-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        const overflow = await window.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `nothing hangs over at ${width}`);
        await window.page.keyboard.press('Escape');
      }
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('has its cross beside its name, and room between a field and the words below it, however narrow', async () => {
    for (const width of [320, 220]) {
      await window.page.setViewportSize({ width, height: 800 });
      await open();
      const [heading, cross] = await Promise.all([
        section().getByRole('heading').boundingBox(),
        section().getByRole('button', { name: 'Close Parameters' }).boundingBox(),
      ]);
      assert.ok(heading && cross && cross.y < heading.y + heading.height, `one line at ${width}`);
      assert.ok(cross.x + cross.width > width - 24, `at the right at ${width}`);
      const box = await field('Temperature').boundingBox();
      const words = await section().locator('#about-temperature').boundingBox();
      assert.ok(box && words && words.y - box.y - box.height >= 4, `apart at ${width}`);
      await window.page.keyboard.press('Escape');
    }
  });

  it('has every field of the request, each with its name, its use and the values it takes', async () => {
    await open(none);
    for (const label of ['Temperature', 'Stop Sequences', 'Tool Choice', 'User']) {
      assert.equal(await field(label).isVisible(), true, label);
    }
    assert.equal(await section().locator('.field').count(), 20);
    assert.equal(await field('Top P').getAttribute('placeholder'), 'A number from 0 to 1');
    const about = await field('Top P').evaluate(
      (control) => document.getElementById(control.getAttribute('aria-describedby') ?? '')?.innerText,
    );
    assert.match(about ?? '', /^Only the likeliest words/);
  });

  it('shows what the conversation has, what the settings say, and what does not go', async () => {
    await open();
    assert.equal(await field('Temperature').inputValue(), '0.3');
    assert.equal(await field('Maximum Tokens').getAttribute('placeholder'), '2048 · as in the settings');
    assert.equal(await field('Stream').locator('option').first().innerText(), 'true · as in the settings');
    assert.match(await section().innerText(), /This model does not take the request field “seed”/);
  });

  it('sets a field with Enter, or when it is left; once', async () => {
    await open(none);
    await field('Temperature').fill('0.7');
    await field('Temperature').press('Enter');
    await field('Temperature').press('Tab');
    await field('Stop Sequences').fill('END\nSTOP');
    await field('Stop Sequences').press('Tab');
    await field('Log Probabilities').selectOption('true');
    assert.deepEqual(await sent(), [
      { type: 'setField', name: 'temperature', text: '0.7' },
      { type: 'setField', name: 'stop', text: 'END\nSTOP' },
      { type: 'setField', name: 'logprobs', text: 'true' },
    ]);
  });

  it('keeps what is being written while the state changes, and what was refused until it is mended', async () => {
    await open(none);
    await field('Seed').fill('4');
    await chat.send({ type: 'state', state: { ...connected, drawer: { ...none, fields: { seed: { own: '7' } } } } });
    assert.equal(await field('Seed').inputValue(), '4');
    await field('Tools').fill('[{');
    await field('Tools').press('Tab');
    await chat.send({ type: 'fieldProblem', name: 'tools', problem: 'This is not JSON.' });
    await chat.send({ type: 'state', state: { ...connected, drawer: none } });
    assert.equal(await field('Tools').inputValue(), '[{');
    assert.equal(await field('Tools').getAttribute('aria-invalid'), 'true');
    await field('Tools').fill('');
    await field('Tools').press('Tab');
    assert.equal(await field('Tools').getAttribute('aria-invalid'), null);
    assert.deepEqual((await sent()).at(-1), { type: 'setField', name: 'tools', text: '' });
  });

  it('shows another conversation’s values when that is shown, and none that were refused here', async () => {
    await open(none);
    await field('Top P').fill('9');
    await field('Top P').press('Tab');
    await chat.send({ type: 'fieldProblem', name: 'top_p', problem: 'A number from 0 to 1.' });
    await chat.send({
      type: 'show',
      strings: {},
      fields: [],
      conversation: 'c2',
      seq: 0,
      messages: [],
      state: { ...connected, drawer: { ...none, fields: { top_p: { own: '0.5' } } } },
    });
    assert.equal(await field('Top P').inputValue(), '0.5');
    assert.equal(await field('Top P').getAttribute('aria-invalid'), null);
  });

  it('is opened and closed by keyboard, and gives the focus back to the message box', async () => {
    await chat.show([], { drawer });
    const button = window.page.getByRole('button', { name: 'Parameters of This Conversation' });
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    await button.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    assert.equal(await window.page.evaluate(() => document.activeElement?.id), 'field-temperature');
    await window.page.keyboard.press('Escape');
    assert.equal(await section().isVisible(), false);
    assert.equal(await window.page.evaluate(() => document.activeElement?.className), 'box');
    assert.equal(
      (await chat.posted()).some(({ type }) => type === 'stop'),
      false,
    );
    await chat.send({ type: 'drawer' });
    assert.equal(await section().isVisible(), true);
  });

  it('copies the request of what is in the box', async () => {
    await open();
    await window.page.locator('.box').fill(' Why? ');
    await window.page.getByRole('button', { name: 'Copy Request as…' }).press('Enter');
    assert.deepEqual((await chat.posted()).at(-1), { type: 'copyRequest', text: 'Why?' });
    await chat.send({ type: 'offerRequest' });
    assert.deepEqual((await chat.posted()).at(-1), { type: 'copyRequest', text: 'Why?' });
  });

  it('has instruction files, the system prompt, the model and the way back to the settings', async () => {
    await open();
    await window.page.getByRole('checkbox', { name: 'AGENTS.md' }).uncheck();
    for (const name of [
      'System Prompt of This Conversation…',
      'Use This Model for New Conversations',
      'Reset to Settings',
    ]) {
      await window.page.getByRole('button', { name, exact: true }).press('Enter');
    }
    assert.deepEqual((await chat.posted()).slice(-4), [
      { type: 'sendFile', id: 'f1', isSent: false },
      { type: 'openSystemPrompt' },
      { type: 'keepModel' },
      { type: 'resetConfiguration' },
    ]);
    await chat.send({ type: 'state', state: { ...connected, drawer: none } });
    assert.equal(await window.page.getByRole('button', { name: 'Reset to Settings' }).isVisible(), false);
  });
});

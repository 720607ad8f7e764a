import assert from 'node:assert/strict';
import { commands, TabInputTextDiff, window } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { chat, frame } from '../support/chatPanel.ts';
import { closeEditors } from '../support/editors.ts';
import { click, notification, press, quickPick, screenshot, texts, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('The details of an answer', () => {
  let service: ReferenceService;

  const asked = () => service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  const openDetails = () => click('.answer:last-of-type details.summary:not([open]) > summary', { frame });
  const follow = (link: string) => click(`.answer:last-of-type .detail-links .link:text-is("${link}")`, { frame });
  const row = async (label: string): Promise<string | undefined> => {
    const [labels, values] = [await texts('.summary dt', { frame }), await texts('.summary dd', { frame })];
    return values[labels.indexOf(label)];
  };

  beforeEach(async () => {
    service = await startService({
      headers: {
        'x-ratelimit-limit-requests': '60',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-tokens': '149984',
        'x-ratelimit-reset-tokens': '48h0m0s',
      },
    });
    await connectTo(service);
    await commands.executeCommand(Command.chatNew);
    await chat.open();
  });
  afterEach(async () => {
    await press('Escape');
    await closeEditors();
    await notification.clear();
    await service.close();
  });
  after(disconnect);

  it('tell the rate limits with the time at which they are whole again', async () => {
    await chat.ask('say: high water');
    await chat.untilAnswered('high water');
    await openDetails();
    assert.match((await row('Requests left')) ?? '', /^59 of 60, all again at \d{1,2}:\d\d:\d\d( [AP]M)?$/);
    assert.match((await row('Tokens left')) ?? '', /^149,984, all again at .*20\d\d.*\d:\d\d/);
    assert.equal(await row('Sent again after'), undefined);
    await screenshot('answer-details');
  });

  it('tell after what the request was sent again', async () => {
    service.setFault('503-once');
    await chat.ask('say: low water');
    await chat.untilAnswered('low water');
    await openDetails();
    assert.equal(await row('Sent again after'), 'HTTP 503');
  });

  it('lead to the request and the response, without the key', async () => {
    await chat.ask('say: first');
    await chat.untilAnswered('first');
    await chat.ask('say: second');
    await chat.untilAnswered('second');
    await openDetails();
    await follow('Request and Response');
    await quickPick.untilListed('Open');
    await quickPick.choose('Open');
    const text = await until('the exchange is open', () => {
      const open = window.activeTextEditor?.document;
      return open?.uri.scheme === 'parley-exchange' ? open.getText() : undefined;
    });
    assert.match(text, /"content": "say: second"/);
    assert.ok(!text.includes(DEFAULT_KEY));
  });

  it('replay the request, and say that the answer is the same', async () => {
    await chat.ask('say: high water');
    await chat.untilAnswered('high water');
    await openDetails();
    await follow('Replay');
    await waitFor('.answer .note:text-is("Replay: the same answer, word by word.")', { frame });
    const [first, again] = asked();
    assert.deepEqual(again?.body, first?.body);
  });

  it('show what a replay has in other words', async () => {
    await chat.ask('tide?');
    await chat.untilAnswered();
    await openDetails();
    service.setRelease('spring');
    await follow('Replay');
    await waitFor('.answer .note:has-text("words differs, “spring”. The system fingerprint has changed.")', {
      frame,
    });
    await waitFor('.answer .note:has-text("No seed was sent.")', { frame });
    await screenshot('replay');
    await chat.press('Show Differences');
    await until('the difference is open', () => {
      const input = window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof TabInputTextDiff && input.modified.scheme === 'parley-version';
    });
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AnswerDataView } from '../../src/webview/shared/protocol/answerDataProtocol.ts';
import type { Window } from '../host/browser.ts';
import { type ChatPage, themeNames } from './chatPage.ts';
import { answer, question } from './samples.ts';
import { pictures, useChatPage } from './useChatPage.ts';

const value = {
  harbour: 'Cuxhaven <b>bold</b>',
  places: [
    { name: 'Alte Liebe', berths: 4, isOpen: true },
    { name: 7, berths: 0, note: null },
  ],
  id: 0,
};
const text = JSON.stringify(value).replace('"id":0', '"id":12345678901234567890');
const view: AnswerDataView = {
  json: text,
  notes: ['Not checked: https://a.example/s.json is another document, which Parley does not fetch.'],
  isBroken: false,
  summary: '3 places do not fit the schema',
  violations: [
    { path: ['places', 1, 'name'], place: 'places[1].name', sentence: 'must be string, is number' },
    { path: ['places', 1], place: 'places[1]', sentence: '“isOpen” is missing' },
    { path: [], place: '', sentence: '“title” is missing' },
  ],
  canFix: true,
};

describe('An answer as data', () => {
  let window: Window;
  let chat: ChatPage;

  useChatPage((opened) => {
    ({ window, chat } = opened);
  }, 900);

  const tree = () => window.page.getByRole('tree', { name: 'JSON of This Answer' });
  const rows = () => tree().getByRole('treeitem');
  const row = (part: string) => rows().filter({ hasText: part }).first();
  const button = (name: string) => window.page.getByRole('button', { name, exact: true });
  const focused = () => window.page.evaluate(() => document.activeElement?.textContent ?? '');
  const open = async (given: AnswerDataView = view, written = text): Promise<void> => {
    await chat.show([question('q', 'Which places?'), answer('a', written, { hasData: true })]);
    await chat.send({ type: 'data', message: 'a', view: given });
  };

  for (const theme of themeNames) {
    it(`is clean for readers in the theme ${theme}, also where it is narrow`, async () => {
      await chat.theme(theme);
      for (const width of [320, 220]) {
        await window.page.setViewportSize({ width, height: 900 });
        await open();
        await row('must be string').focus();
        await window.page.screenshot({ path: join(pictures, `data-${theme}-${width}.png`) });
        assert.deepEqual(await chat.axe(), []);
        const overflow = await window.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `nothing hangs over at ${width}`);
        await chat.show([]);
      }
      assert.deepEqual(chat.escapes, []);
    });
  }

  it('has the button for its text beside what is said of it, and what is copied below that', async () => {
    await open();
    const top = async (name: string): Promise<number> => (await button(name).boundingBox())?.y ?? 0;
    const sentence = await window.page.locator('.data-status').boundingBox();
    assert.ok(sentence && (await top('Show as Text')) < sentence.y + sentence.height, 'in one line');
    assert.ok((await top('Copy JSON')) >= sentence.y + sentence.height);
    assert.equal(await top('Copy as TypeScript Type'), await top('Copy JSON'));
  });

  it('is asked of the host, and shown as a tree in the place of the text, which is one click away', async () => {
    await open();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'showData', message: 'a' });
    assert.equal(await window.page.locator('.answer > .markdown').isVisible(), false);
    assert.match(await row('harbour').innerText(), /harbour:\s+"Cuxhaven <b>bold<\/b>"/);
    assert.match(await row('id').innerText(), /id:\s+12345678901234567890/, 'in all its digits');
    await button('Show as Text').click();
    assert.equal(await window.page.locator('.data-raw').innerText(), text);
    assert.equal(await tree().isVisible(), false);
    await button('Show as Text').click();
    assert.equal(await tree().isVisible(), true);
  });

  it('has what does not fit at its place, in words, and in a list that leads there', async () => {
    await open();
    assert.match(await row('name: 7').innerText(), /must be string, is number/);
    assert.match(await rows().first().innerText(), /“title” is missing/);
    await row('places').press('ArrowLeft');
    assert.match(await row('places').innerText(), /2 inside/, 'also where it is shut');
    await button('places[1].name must be string, is number').press('Enter');
    assert.match(await focused(), /name: 7must be string/);
    await button('The whole answer “title” is missing').click();
    assert.match(await focused(), /3 members/);
  });

  it('is gone through by keyboard alone', async () => {
    await open();
    await rows().first().focus();
    for (const [key, there] of [
      ['ArrowDown', /^harbour/],
      ['ArrowDown', /^places/],
      ['ArrowRight', /^0: 3 members/],
      ['ArrowLeft', /^0: 3 members/],
      ['ArrowLeft', /^places/],
      ['ArrowLeft', /^places: 2 items2 inside/],
      ['End', /^id/],
      ['Home', /^3 members/],
      ['Enter', /^3 members/],
    ] as const) {
      await window.page.keyboard.press(key);
      assert.match(await focused(), there, key);
    }
    assert.equal(await rows().count(), 1);
    await window.page.keyboard.press(' ');
    assert.equal(await rows().count(), 4);
    assert.deepEqual(await rows().evaluateAll((all) => all.map((each) => each.getAttribute('tabindex'))), [
      '0',
      '-1',
      '-1',
      '-1',
    ]);
  });

  it('is copied as JSON and as a type, and fixed where it is the last answer', async () => {
    await open();
    for (const [name, as] of [
      ['Copy JSON', 'json'],
      ['Copy as TypeScript Type', 'typescript'],
      ['Copy as zod Schema', 'zod'],
    ] as const) {
      await button(name).click();
      assert.deepEqual((await chat.posted()).at(-1), { type: 'copyData', message: 'a', as });
    }
    await button('Fix').click();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'fixData', message: 'a' });
    await chat.show([
      question('q', 'Which?'),
      answer('a', text, { hasData: true }),
      question('q2', 'And?'),
      answer('b', 'So.'),
    ]);
    await chat.send({ type: 'data', message: 'a', view });
    assert.equal(await tree().isVisible(), true);
    assert.equal(await button('Fix').count(), 0);
  });

  it('with 100,000 items draws some of them, shows more of them, and goes to any of them', async () => {
    const json = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index));
    const violations = [{ path: [77_777], place: '[77777]', sentence: 'must be string, is number' }];
    await open({ json, notes: [], isBroken: false, summary: 'x', violations, canFix: true }, '[0, …]');
    assert.ok((await rows().count()) <= 102);
    await row('more').click();
    assert.match(await focused(), /^100: 100/);
    await button('[77777] must be string, is number').click();
    assert.match(await focused(), /^77777: 77777must be/);
    assert.ok((await rows().count()) <= 103);
    await row('before').click();
    assert.match(await focused(), /^77726: 77726$/);
    assert.deepEqual(await chat.axe(), []);
  });

  it('100 levels deep, or with members of every kind of name, is drawn', async () => {
    const deep = `${'{"a":['.repeat(50)}1${']}'.repeat(50)}`;
    const path = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 'a' : 0));
    await open(
      {
        json: deep,
        notes: [],
        isBroken: false,
        summary: 'x',
        violations: [{ path, place: 'a[0]…', sentence: 'is deep' }],
        canFix: true,
      },
      deep,
    );
    await button('a[0]… is deep').click();
    assert.match(await focused(), /^0: 1is deep/);
    const odd = '{"__proto__": {"x": 1}, "": 2, "a\\u202eb": "\\u0000", "constructor": []}';
    await open({ json: odd, notes: [], isBroken: false, violations: [], canFix: false }, odd);
    assert.equal(await rows().count(), 6);
    assert.equal(await tree().locator('.unseen').count(), 2);
    assert.deepEqual(chat.escapes, []);
  });

  it('that is no JSON stays a text, with what is wrong, and can be fixed', async () => {
    await open(
      { notes: ['This is not JSON: line 1, column 1.'], isBroken: true, violations: [], canFix: true },
      'Sorry, **no**.',
    );
    assert.equal(await window.page.locator('.answer > .markdown strong').innerText(), 'no');
    assert.match(await window.page.locator('.data').innerText(), /This is not JSON: line 1, column 1\.\s*Fix/);
    assert.equal(await tree().count(), 0);
    assert.deepEqual(await chat.axe(), []);
  });

  it('is not asked for of other answers, nor while one is written', async () => {
    await chat.show([question('q', 'Why?'), answer('a', '{}')]);
    await chat.show([question('q', 'Why?'), answer('b', '{', { hasData: true, state: 'streaming' })]);
    assert.equal(
      (await chat.posted()).some(({ type }) => type === 'showData'),
      false,
    );
  });

  it('has its schema chosen in the drawer, at the field of the format', async () => {
    await chat.show([]);
    await chat.send({ type: 'drawer' });
    await button('Schema…').click();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'pickSchema' });
    await button('By Words…').click();
    assert.deepEqual((await chat.posted()).at(-1), { type: 'biasWords' });
    await window.page.screenshot({ path: join(pictures, 'data-drawer.png') });
  });
});

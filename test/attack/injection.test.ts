/** Every construct through the pages that Parley draws, in a real browser. `test/host/suites/text/plainText.test.ts` has the rest. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { markdownText } from '../../src/editor/text/markdownText.ts';
import { plain } from '../../src/editor/text/plainText.ts';
import type { TranscriptView } from '../../src/webview/shared/protocol/transcriptProtocol.ts';
import { launchBrowser, type Window } from '../host/browser.ts';
import { findOrInstallChromium } from '../host/chromium.ts';
import { type ChatPage, openChatPage } from '../ui/chatPage.ts';
import { answer, question } from '../ui/samples.ts';
import { openTranscriptPage } from '../ui/transcriptPage.ts';
import { type Construct, constructs } from './constructs.ts';
import { panelConstructs } from './panelConstructs.ts';

/** So many are shown at once, in a window that is high enough: the page draws the messages near what is in sight. */
const batchSize = 8;
const windowSize = { width: 320, height: 20_000 };
/** What is longer, in characters, is shown alone. */
const longest = 500;
const inBatches = (all: readonly Construct[]): (readonly Construct[])[] => {
  const short = all.filter(({ text }) => text.length <= longest);
  return [
    ...all.filter(({ text }) => text.length > longest).map((each) => [each]),
    ...Array.from({ length: Math.ceil(short.length / batchSize) }, (_, index) =>
      short.slice(index * batchSize, (index + 1) * batchSize),
    ),
  ];
};
const batches = inBatches(constructs);
/** With those that mean something in an answer alone. */
const answers = inBatches([...constructs, ...panelConstructs]);
/** The last formula of a batch: formulas are drawn one after the other, over several frames. */
const lastFormula = '$\\omega$';

const allowedTags = new Set(
  `main div p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s a span table thead tbody tr th td
  article details summary section header button textarea dl dt dd audio progress`
    .toUpperCase()
    .split(/\s+/),
);
const allowedAttributes = new Set(
  `class id role tabindex title type hidden disabled start rows placeholder maxlength open dir data-href data-file data-open data-language
  data-path data-task data-note data-note-of data-unseen aria-checked aria-label aria-disabled aria-live aria-hidden aria-busy aria-expanded aria-current aria-autocomplete aria-haspopup aria-controls
  aria-labelledby aria-pressed value max`.split(/\s+/),
);

const allowedInMath = new Set(
  `math mrow mi mn mo ms mtext mspace mstyle mpadded mphantom menclose mfrac msqrt mroot msub msup msubsup munder mover
  munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd`.split(/\s+/),
);
const allowedMathAttributes = new Set(
  `alttext display displaystyle scriptlevel mathvariant stretchy symmetric fence separator form accent accentunder largeop
  movablelimits minsize maxsize lspace rspace linethickness width height depth voffset notation columnalign rowspacing
  columnspacing columnspan columnlines rowlines rowalign rowspan side class data-unseen`.split(/\s+/),
);

/** What one page has of its own: attributes, elements with the style of a place, and those that hold an icon in a text. */
interface OwnParts {
  readonly attributes: readonly string[];
  readonly placed: string;
  readonly signs: string;
}
const ofChat: OwnParts = { attributes: [], placed: 'article', signs: '.code-header, button' };
const ofTranscript: OwnParts = {
  attributes: ['aria-setsize', 'aria-posinset', 'aria-selected', 'aria-activedescendant'],
  placed: '.segments, .segment, .paragraphs, .paragraph, .check-list, .check',
  signs: '.sign, button',
};

/** What is on the page that must not be there: elements, attributes, and links that lead elsewhere than they say. */
async function findOffences({ page }: Pick<ChatPage, 'page'>, own = ofChat): Promise<string[]> {
  return page.evaluate(
    ([tags, attributes, mathTags, mathAttributes, { placed, signs }]) => {
      const found: string[] = 'owned' in globalThis ? ['a script ran'] : [];
      for (const each of document.querySelectorAll('#root, #root :not(.find-box)')) {
        if (each.namespaceURI === 'http://www.w3.org/1998/Math/MathML') {
          if (each.closest('.markdown .math') === null || !mathTags.includes(each.tagName)) found.push(each.outerHTML);
          for (const { name } of each.attributes)
            if (!mathAttributes.includes(name)) found.push(`${each.tagName} ${name}`);
          continue;
        }
        if (!tags.includes(each.tagName)) found.push(`<${each.tagName}>`);
        for (const { name, value } of each.attributes) {
          // The place of a message or a line that is not drawn is as high as it was.
          const isLength = /^((height|margin-top|padding-bottom|--time-letters): ?[\d.]+(px)?; ?)+$/.test(value);
          const isPlace = name === 'style' && each.matches(placed) && isLength;
          if (!attributes.includes(name) && !isPlace) found.push(`${each.tagName} ${name}`);
        }
        const href = each.getAttribute('data-href');
        const isLink = each.tagName === 'A';
        if (isLink !== (href !== null)) found.push(`link without an address: ${each.outerHTML}`);
        if (href !== null && !/^https?:\/\//i.test(href)) found.push(`link to ${href}`);
        if (href !== null && each.getAttribute('title') !== href) found.push(`link that hides ${href}`);
        const dir = each.getAttribute('dir');
        if (dir !== null && dir !== 'auto') found.push(`direction ${dir}`);
        const opens = each.getAttribute('data-open');
        const path: string = opens === null ? (each.getAttribute('data-file') ?? '') : JSON.parse(opens).path;
        // The host opens what is in the workspace alone, also where it is written from the root.
        if (/(^|[\\/])\.\.([\\/]|$)|^(?!file:)[a-z]{2,}:(?!\d)/i.test(path)) found.push(`file ${path}`);
        if (opens !== null && !each.getAttribute('title')?.startsWith(path)) found.push(`file that hides ${path}`);
      }
      // Icons are ours, in buttons and headers; text holds none.
      for (const each of document.querySelectorAll(
        '.markdown .codicon, .thoughts *, .question-text .codicon, .text .codicon',
      ))
        if (each.closest(signs) === null && !each.matches('.unseen, .thoughts .lines')) found.push(each.outerHTML);
      return found;
    },
    [
      [...allowedTags],
      [...allowedAttributes, ...own.attributes],
      [...allowedInMath],
      [...allowedMathAttributes],
      own,
    ] as const,
  );
}

describe('Injection', () => {
  let window: Window;

  before(async () => {
    window = await launchBrowser(await findOrInstallChromium());
  });
  after(() => window.close());

  it('has at least 140 constructs, each once, and 80 more for the panel', () => {
    assert.ok(constructs.length >= 140, String(constructs.length));
    assert.ok(panelConstructs.length >= 80, String(panelConstructs.length));
    const all = [...constructs, ...panelConstructs];
    assert.equal(new Set(all.map(({ text }) => text)).size, all.length);
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  });

  it('leaves nothing unseen, no link and no icon in what is made plain, and says the same each time', () => {
    for (const { name, text } of constructs) {
      const made = plain(text);
      assert.doesNotMatch(
        made,
        /\]\(|\$\(|[\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\p{Cc}\p{Co}\u{E0000}-\u{E007F}]/u,
        name,
      );
      assert.ok(made.length <= 1_000, name);
      assert.equal(plain(made), made, name);
      assert.doesNotMatch(markdownText(text), /(?<!\\)[<`*[\]|~]/, name);
    }
  });

  describe('through the chat panel', () => {
    let chat: ChatPage;
    beforeEach(async () => {
      await window.page.setViewportSize(windowSize);
      chat = await openChatPage(window.page);
    });

    it('an answer runs nothing, loads nothing, and its links say where they lead', async () => {
      for (const batch of answers) {
        const messages = batch.flatMap(({ text }, at) => [question(`q${at}`, 'x'), answer(`a${at}`, text)]);
        await chat.show([...messages, answer('last', lastFormula)]);
        assert.equal(await chat.page.locator('.answer').count(), batch.length + 1);
        await chat.page.waitForSelector('.answer:last-child math');
        // Whatever looks like a file is there.
        await chat.send({ type: 'files', found: await chat.askedFor() });
        assert.deepEqual(await findOffences(chat), []);
      }
      assert.deepEqual(chat.escapes, []);
    });

    it('an answer that streams, a few letters at a time, runs nothing on its way', async () => {
      await window.page.setViewportSize({ width: 320, height: 800 });
      // What is long is long in the same way all along.
      const short = [...constructs, ...panelConstructs].filter(({ text }) => text.length < 200);
      const stream = async ({ text }: Construct, seq: number): Promise<number> => {
        const letters = (text.match(/.{1,7}/gsu) ?? []).map((letter, at) => ({
          conversation: 'c1',
          seq: seq + at + 1,
          change: { kind: 'append', index: 1, field: 'text', text: letter } as const,
        }));
        // Each piece is drawn: a construct is dangerous while half of it is there, too.
        for (const patch of letters) await chat.send({ type: 'patches', patches: [patch] });
        return seq + letters.length;
      };
      let seq = 0;
      const dangerous = short.filter(({ name }) => /^(HTML|math|footnote|task)/.test(name));
      for (const [at, construct] of dangerous.entries()) {
        // Ten in one answer: what is looked at each time stays short.
        if (at % 10 === 0) {
          await chat.show([question('q', 'x'), answer('a', '', { state: 'streaming' })]);
          seq = 0;
        }
        seq = await stream({ ...construct, text: `\n\n${construct.text}` }, seq);
        assert.deepEqual(await findOffences(chat), [], construct.name);
      }
      assert.deepEqual(chat.escapes, []);
    });

    it('a click on any link goes to the host alone, with the address that was shown', async () => {
      const address = chat.page.url();
      for (const batch of answers) {
        await chat.show(
          batch.flatMap(({ text }, at) => [question(`q${at}`, 'x'), answer(`a${at}`, text.slice(0, 5_000))]),
        );
        const shown = await chat.page.evaluate(() => {
          globalThis.posted.length = 0;
          const links = [...document.querySelectorAll<HTMLElement>('.markdown a')];
          for (const link of links) link.click();
          return links.map((link) => link.title);
        });
        assert.deepEqual(
          await chat.posted(),
          shown.map((href) => ({ type: 'openLink', href })),
        );
      }
      assert.equal(chat.page.url(), address);
      assert.deepEqual(chat.escapes, []);
    });

    it('thoughts, questions, chips, the model, numbers, notes and errors are text', async () => {
      for (const batch of batches) {
        const messages = batch.flatMap(({ text }, at) => [
          question(`q${at}`, text, [{ id: 'k', label: text, title: text }]),
          answer(`a${at}`, '', {
            reasoning: text,
            state: 'failed',
            summary: text,
            details: [[text, text]],
            note: text,
            error: { sentence: text, action: text },
          }),
        ]);
        const [{ text: model } = { text: '' }] = batch;
        const chips = batch.map(({ text }, at) => ({ id: `${at}`, label: text, title: text }));
        await chat.show(messages, { model, tokens: model, chips });
        assert.deepEqual(await findOffences(chat), []);
        const read = (selector: string) =>
          chat.page.locator(selector).evaluateAll((all) => all.map((each) => each.textContent));
        const texts = batch.map(({ text }) => text);
        // Long questions are drawn in steps.
        await chat.page.waitForFunction(
          (wanted) => {
            const drawn = [...document.querySelectorAll('.question-text')].map((each) => each.textContent?.length);
            return JSON.stringify(drawn) === JSON.stringify(wanted);
          },
          texts.map(({ length }) => length),
          { timeout: 20_000 },
        );
        assert.deepEqual(await read('.question-text'), texts);
        // Long thoughts are drawn in steps.
        await chat.page.waitForFunction(
          (wanted) => {
            const drawn = [...document.querySelectorAll('.thoughts')].map((each) => each.textContent?.length);
            return JSON.stringify(drawn) === JSON.stringify(wanted);
          },
          texts.map(({ length }) => length),
        );
        assert.deepEqual(await read('.thoughts'), texts);
        assert.deepEqual(await read('.error p'), texts);
        assert.deepEqual(await read('.composer .chip-label'), texts);
        await chat.show([], { suggestions: texts });
        assert.deepEqual(await findOffences(chat), []);
        assert.deepEqual(await read('.suggestion'), texts);
      }
      assert.deepEqual(chat.escapes, []);
    });

    it('what cannot be seen is named where it stands, turns nothing around it, and is copied as it was', async () => {
      const code = 'if (level != "user\u202E \u2066// admin\u2069 \u2066") {\u0007';
      const text = `Run this\u202E now:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n[https://good.test\u200B](https://evil.test)`;
      await chat.show([question('q', 'a\u202Eb'), answer('a', text, { reasoning: 'c\u2067d' })]);
      const named = () =>
        chat.page
          .locator('.unseen')
          .evaluateAll((all) => all.map((each) => getComputedStyle(each, '::before').content));
      // A page that is busy draws a part of it with its next frame.
      await chat.page.waitForFunction(() => document.querySelectorAll('.unseen').length === 9);
      assert.deepEqual(
        await named(),
        ['202E', '2067', '202E', '202E', '2066', '2069', '2066', '0007', '200B'].map((mark) => `"\\\\u{${mark}}"`),
      );
      assert.equal(
        await chat.page
          .locator('.unseen')
          .first()
          .evaluate((each) => getComputedStyle(each).unicodeBidi),
        'isolate',
      );
      await chat.page.locator('.code-header button').first().click();
      await chat.page.waitForFunction(() =>
        globalThis.posted.some((message) => (message as { type: string }).type === 'copy'),
      );
      assert.deepEqual((await chat.posted()).at(-1), { type: 'copy', text: code });
      await chat.show([question('q2', 'x'), answer('a2', '\u200B'.repeat(500_000))]);
      // One for each piece that was drawn, not one for each character.
      const marks = await chat.page.locator('.unseen').count();
      assert.ok(marks > 0 && marks < 50, String(marks));
    });

    it('a text in one of our sentences changes nothing of the sentence', async () => {
      const [{ text }] = constructs.filter(({ name }) => name === 'format: replacement of JavaScript') as [Construct];
      const chips = [{ id: 'k', label: text, title: text }];
      await chat.show([question('q', 'x'), answer('a', `![${text}](https://evil.test/x.png)`)], { model: text, chips });
      const label = (selector: string) => chat.page.locator(selector).getAttribute('aria-label');
      assert.equal(await label('.model'), `Model ${text}, pick another`);
      assert.equal(await label('.chip .icon-button'), `Remove ${text}`);
      assert.equal(await chat.page.locator('.image').textContent(), `Image: ${text} https://evil.test/x.png`);
    });
  });

  it('through a transcript is text', async () => {
    const context = await window.page.context().browser()?.newContext({ viewport: windowSize });
    assert.ok(context);
    const shown = await openTranscriptPage(await context.newPage());
    for (const batch of batches) {
      const [{ text: fileName } = { text: '' }] = batch;
      const transcript: TranscriptView = {
        state: { sha256: 'a'.repeat(64), path: '/recordings/x.wav' },
        fileName,
        about: fileName,
        noPlayer: fileName,
        text: 'x',
        segments: batch.map(({ text }, at) => ({ start: at, end: at + 1, time: text, text, original: 'x' })),
        checks: batch.map(({ text }, segment) => ({ segment, reason: text })),
      };
      await shown.show(transcript);
      assert.deepEqual(await findOffences(shown, ofTranscript), []);
      const read = (selector: string) =>
        shown.page.locator(selector).evaluateAll((all) => all.map((each) => each.textContent));
      assert.deepEqual(await read('h1'), [fileName]);
      assert.deepEqual(
        await read('.segment p'),
        batch.map(({ text }) => text),
      );
      await shown.page.click('.actions [aria-expanded=false][aria-controls]');
      assert.equal(await shown.page.locator('.check').count(), batch.length);
      await shown.send({ type: 'changed', lines: [{ segment: 0, text: fileName.repeat(2) }] });
      assert.deepEqual(await read('.segment:first-child p'), [fileName.repeat(2)]);
      assert.deepEqual(await findOffences(shown, ofTranscript), []);
      await shown.show({ ...transcript, segments: [], text: batch.map(({ text }) => text).join('\n') });
      assert.deepEqual(await findOffences(shown, ofTranscript), []);
    }
    assert.deepEqual(shown.escapes, []);
    await context.close();
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isRefusal, readCommitMessage } from '../../../../src/scm/commit/commitMessage.ts';
import { assertGrowsNoFaster } from '../../../support/growth.ts';

const read = (answer: string): string => readCommitMessage(answer, true);
const message = 'Close the socket on Stop\n\nA request that nobody waits for\ncosts the service its time.';

/** Ways in which models dress up a message. */
const dressed: readonly (readonly [name: string, answer: string])[] = [
  ['nothing around it', message],
  ['white space', `\n\n  ${message}\n\n`],
  ['a fence', `\`\`\`\n${message}\n\`\`\``],
  ['a fence with a language', `\`\`\`text\n${message}\n\`\`\`\n`],
  ['a fence of tildes', `~~~~\n${message}\n~~~~`],
  ['a fence that is never closed', `\`\`\`\n${message}`],
  ['a fence, and words after it', `\`\`\`\n${message}\n\`\`\`\n\nThis message follows the style of the repository.`],
  ['an introduction', `Here is a commit message:\n\n${message}`],
  ['an introduction, bold', `**Here's the commit message:**\n\n${message}`],
  ['an introduction that says yes first', `Sure! Here is a concise commit message for your changes:\n${message}`],
  ['a yes on a line of its own', `Certainly!\n\nHere’s a commit message:\n\n${message}`],
  ['an introduction and a fence', `Here is a commit message:\n\n\`\`\`gitcommit\n${message}\n\`\`\`\n`],
  ['an introduction of another kind, and a fence', `I looked at the diff. It fits best:\n\n\`\`\`\n${message}\n\`\`\``],
  ['a yes that says more', `Sure, I can do that!\n\n${message}`],
  ['a heading', `Commit message:\n${message}`],
  ['a heading of Markdown', `## Commit Message\n\n${message}`],
  ['the same line', `Commit message: ${message}`],
  ['the same line, bold', `**Commit message:** ${message}`],
  ['quotation marks', `"${message}"`],
  ['quotation marks of print', `“${message}”`],
  ['backticks', `\`${message}\``],
  ['a bold subject', `**Close the socket on Stop**${message.slice(24)}`],
  ['a quoted subject', `"Close the socket on Stop"${message.slice(24)}`],
  ['a subject as a heading', `# ${message}`],
  ['thoughts', `<think>\nThe socket: "Stop"?\n\`\`\`\nx\n\`\`\`\n</think>\n\n${message}`],
  ['thoughts, twice', `<think>a</think>\n<think>b</think>\n${message}`],
  ['thoughts whose first tag is missing', `The socket is closed.\n</think>\n\n${message}`],
  ['thoughts of Magistral', `[THINK]The socket.[/THINK]${message}`],
  ['thoughts whose first tag is missing, in one line', `The socket is closed.</think>${message}`],
  ['the channels of gpt-oss', `<|channel|>analysis<|message|>x<|end|><|channel|>final<|message|>${message}<|return|>`],
  ['thoughts and all else', `<thinking>x</thinking>Sure.\nHere is the message:\n\`\`\`\n"${message}"\n\`\`\`\nGood?`],
  ['line ends of Windows', message.replaceAll('\n', '\r\n')],
  ['too many empty lines', message.replace('\n\n', ' \n \n\n\n')],
];

describe('the message in an answer', () => {
  for (const [name, answer] of dressed) {
    it(`is found with ${name}`, () => assert.equal(read(answer), message));
  }

  it('keeps what is its own', () => {
    const own = [
      '"a" and "b" are one',
      'Read `package.json` once',
      "'tis the message's own",
      'Commit message generation',
      'Strip </think> from answers',
      'Add a fence\n\n```ts\nx\n```',
      'Here documents end at their word',
      'Sure thing button: colours',
      'OK button closes the dialog\n\nIt did not.',
      '`parse` reads numbers',
      'fix(scm): keep the draft',
      '- one\n- two',
    ];
    for (const each of own) assert.equal(read(each), each);
  });

  it('is empty where there is none', () => {
    for (const answer of [
      '',
      ' \n',
      '<think>only that',
      '<think>only that</think>',
      '```\n```',
      'Here is the message:\n',
    ])
      assert.equal(read(answer), '', answer);
  });

  it('is the same for all borders of pieces, and what is shown meanwhile is how it begins', () => {
    const whole = fc.constantFrom(...dressed.filter(([name]) => !/tag is missing|another kind/.test(name)));
    fc.assert(
      fc.property(whole, fc.array(fc.nat(400), { maxLength: 12 }), ([name, answer], borders) => {
        let received = '';
        for (const end of [...borders.filter((at) => at < answer.length).sort((a, b) => a - b), answer.length]) {
          received += answer.slice(received.length, end);
          const shown = readCommitMessage(received, false);
          assert.ok(message.startsWith(shown), `${name}: ${JSON.stringify(shown)}`);
        }
        assert.equal(read(received), message);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is shown from the first words on', () => {
    assert.equal(readCommitMessage('Close the so', false), 'Close the so');
    assert.equal(readCommitMessage('```\nClose the so', false), 'Close the so');
    assert.equal(readCommitMessage('"Close the so', false), 'Close the so');
    assert.equal(readCommitMessage('Here is a commit mess', false), '');
    assert.equal(readCommitMessage('<thi', false), '');
  });

  it('is found in whatever is written, in a time that grows with its length', async () => {
    const parts = ['<think>', '</think>', '```', '\n', '"', '**', 'Here is', ':', 'x', ' ', '#', '\r', '~~~', "'"];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (answer, isEnded) => {
        const found = readCommitMessage(answer, isEnded);
        assert.equal(found, found.trim());
        assert.ok(found.length <= answer.length);
      }),
    );
    for (const part of [...parts, '<think></think>', '</think>\n', 'ok\n', '```\n', '"a" ', '  x', '~~~x']) {
      for (const isEnded of [false, true])
        await assertGrowsNoFaster((size) => readCommitMessage(part.repeat(size), isEnded), 2_500, part);
    }
  });
});

describe('a refusal in words', () => {
  it('is told from a message', () => {
    assert.ok(isRefusal('I’m sorry, but I can’t help with that.'));
    assert.ok(isRefusal('I cannot write this.'));
    assert.ok(!isRefusal('I18n: keep the words'));
    assert.ok(!isRefusal('Sorry page: say what happened'));
  });
});

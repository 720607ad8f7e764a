import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import { planRequest, requestMessages, turnTokens } from '../../../../src/chat/context/requestMessages.ts';
import { type Turn, turnsOf } from '../../../../src/chat/context/turns.ts';
import { windowUse } from '../../../../src/chat/context/windowUse.ts';
import { type Attachment, namedAttachment } from '../../../../src/chat/conversation/attachment.ts';
import type { Answer, Message, Question } from '../../../../src/chat/conversation/conversation.ts';

const question = (id: string, text: string, attachments: readonly Attachment[] = []): Question => ({
  role: 'user',
  id,
  at: 0,
  text,
  attachments,
});
const answer = (id: string, text: string): Answer => ({
  ...{ role: 'assistant', id, at: 0, text, reasoning: '', state: 'complete', timings: {} },
});
/** Turns of so many characters, and a question at the end. */
const conversation = (sizes: readonly number[]): Message[] => [
  ...sizes.flatMap((size, i) => [question(`q${i}`, 'x'.repeat(size)), answer(`a${i}`, 'y'.repeat(size))]),
  question('last', 'Why?'),
];
const image: Attachment = {
  ...namedAttachment({ kind: 'image', label: 'chart.png', path: 'chart.png', languageId: '', text: '' }, 'i'),
  image: { type: 'image/png', data: 'AAAA', width: 10, height: 10 },
};

describe('What is left out of a conversation that has outgrown the window', () => {
  const ids = (turns: readonly Turn[]): string[] => turns.map(({ question: { id } }) => id);

  it('is the oldest turns, and nothing where all fits, or nobody knows the window', () => {
    const turns = turnsOf(conversation([350, 350, 350]));
    assert.equal(turnTokens(turns[0] as Turn), 208);
    assert.deepEqual(ids(planRequest(turns, '', 1000).leftOut), []);
    assert.deepEqual(ids(planRequest(turns, '', undefined).leftOut), []);
    const { turns: sent, leftOut } = planRequest(turns, '', 450);
    assert.deepEqual([ids(leftOut), ids(sent)], [['q0'], ['q1', 'q2', 'last']]);
  });

  it('is never the last question, and never the instructions', () => {
    const turns = turnsOf(conversation([10]));
    const { turns: sent } = planRequest(turns, 'Be brief.', 1);
    assert.deepEqual(requestMessages(sent, 'Be brief.'), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
    ]);
  });

  it('is as little as can be, from the front, in any conversation (property)', () => {
    const sizes = fc.array(fc.nat(2000), { maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.nat(20_000), fc.string({ maxLength: 200 }), (lengths, room, prompt) => {
        const all = turnsOf(conversation(lengths));
        const { turns, leftOut } = planRequest(all, prompt, room);
        assert.deepEqual([...leftOut, ...turns], all);
        const cost = (list: readonly Turn[]): number =>
          list.reduce((sum, turn) => sum + turnTokens(turn), prompt === '' ? 0 : estimateTokens(prompt) + 4);
        if (turns.length > 1) assert.ok(cost(turns) <= room);
        const next = leftOut.at(-1);
        if (next !== undefined) assert.ok(cost([next, ...turns]) > room);
      }),
      { numRuns: 1000, seed: 3 },
    );
  });
});

describe('What the next question takes of the window', () => {
  it('is counted by what it is', () => {
    const piece = namedAttachment(
      { kind: 'pasted', label: 'Pasted text', path: '', languageId: '', text: 'z'.repeat(700) },
      'p',
    );
    const messages = conversation([350, 350]).slice(0, -1);
    const next = { messages, attachments: [image, piece], systemPrompt: 'x'.repeat(35), leavesOut: false };
    const use = windowUse({ size: 2_000, answerRoom: 400 }, next);
    assert.deepEqual(
      { ...use, attachments: use.attachments > 1_200 && use.attachments < 1_230 },
      {
        ...{ size: 2_000, answerRoom: 400, instructions: 14, earlier: 208, leftOut: 208, attachments: true },
        ...{
          leavesOut: false,
          isSummarised: false,
          bytesPerToken: 3.5,
          sentFrom: 'q1',
          largest: { id: 'i', label: 'chart.png' },
        },
      },
    );
    const small = windowUse({ size: 100, answerRoom: 10 }, { ...next, attachments: [] });
    assert.deepEqual([small.earlier, small.leftOut, small.sentFrom, small.largest], [0, 416, '', undefined]);
  });
});

describe('An image', () => {
  it('goes along as a part of the question, after its words', () => {
    const sent = requestMessages(turnsOf([question('q', 'What is this?', [image])]), '');
    assert.deepEqual(sent, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('of an earlier question is named alone where the model takes none', () => {
    const path = [question('q', 'What is this?', [image]), answer('a', 'A chart.'), question('r', 'And?')];
    assert.match(
      String(requestMessages(turnsOf(path), '', false)[0]?.content),
      /^What is this\?\n\n\(An image, chart\.png, /,
    );
  });
});

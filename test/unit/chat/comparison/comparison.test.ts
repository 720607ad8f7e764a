import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { repeated } from '../../../../src/chat/answering/repeated.ts';
import { firstColumns, laterColumns, neighbours } from '../../../../src/chat/comparison/columns.ts';
import { contestantOfModel, contestantOfPreset } from '../../../../src/chat/comparison/contestants.ts';
import { figuresOf } from '../../../../src/chat/comparison/figures.ts';
import type { Answer } from '../../../../src/chat/conversation/conversation.ts';
import { configurationWith } from '../../../../src/chat/parameters/requestOverride.ts';

const versions = (count: number, ...streaming: number[]) =>
  Array.from({ length: count }, (_, index) => ({ id: `v${index}`, isStreaming: streaming.includes(index) }));

describe('A contestant', () => {
  it('is a model with the parameters of the conversation, and gives one answer', () => {
    assert.deepEqual(contestantOfModel('m', { temperature: 0, n: 4 }), { model: 'm', parameters: { temperature: 0 } });
  });

  it('is a preset, whose empty fields are as in the settings', () => {
    assert.deepEqual(contestantOfPreset('warm', { model: 'm', parameters: { temperature: 1, seed: null, n: 2 } }), {
      ...{ preset: 'warm', model: 'm', parameters: { temperature: 1 } },
    });
    assert.deepEqual(contestantOfPreset('bare', { model: null }), { preset: 'bare', parameters: {} });
  });

  it('takes the place of the model and all parameters of a conversation, and of nothing else', () => {
    const own = { model: 'own', systemPrompt: 'Be brief.', parameters: { top_p: 1 }, leftOut: new Set(['file']) };
    assert.equal(configurationWith(own, undefined), own);
    assert.deepEqual(configurationWith(own, { parameters: { seed: 1 } }), {
      ...{ systemPrompt: 'Be brief.', parameters: { seed: 1 }, leftOut: new Set(['file']) },
    });
  });

  it('sends nothing that a file has in the place of a parameter', () => {
    const own = { parameters: {}, leftOut: new Set<string>() };
    const hostile = { temperature: 'hot', __proto__: { n: 1 }, nothing: 1, seed: 3 } as never;
    assert.deepEqual(configurationWith(own, { parameters: hostile }).parameters, { seed: 3 });
  });
});

describe('A request that is repeated', () => {
  it('counts a seed on from that of the first answer', () => {
    assert.deepEqual(
      repeated({ model: 'm', parameters: { seed: 5, n: 3, top_p: 1 } }, 2).map(({ parameters }) => parameters),
      [
        { seed: 6, top_p: 1 },
        { seed: 7, top_p: 1 },
      ],
    );
    assert.deepEqual(repeated({ parameters: {} }, 2), [{ parameters: {} }, { parameters: {} }]);
  });

  it('has no two seeds that are the same, wherever they begin', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 127 }), (seed, times) => {
        const seeds = repeated({ parameters: { seed } }, times).map(({ parameters }) => parameters.seed);
        assert.equal(new Set([seed, ...seeds]).size, times + 1);
        assert.ok(seeds.every(Number.isSafeInteger));
      }),
    );
  });
});

describe('Columns', () => {
  it('are the first four, with the version that is asked about among them', () => {
    assert.deepEqual(firstColumns(versions(128), 'v0'), ['v0', 'v1', 'v2', 'v3']);
    assert.deepEqual(firstColumns(versions(128), 'v77'), ['v0', 'v1', 'v2', 'v77']);
    assert.deepEqual(firstColumns(versions(2), 'v1'), ['v0', 'v1']);
  });

  it('are those that are being written, where there are some', () => {
    assert.deepEqual(firstColumns(versions(6, 3, 4, 5), 'v3'), ['v3', 'v4', 'v5']);
    assert.deepEqual(firstColumns(versions(6, 3, 4, 5), 'v0'), ['v3', 'v4', 'v5'], 'an older one stays behind');
    assert.deepEqual(firstColumns(versions(3, 2), 'v0'), ['v0', 'v2'], 'one alone has the one that is read beside it');
  });

  it('take in what begins, as long as there is room, and lose what is deleted', () => {
    assert.deepEqual(laterColumns(['v0', 'v1'], versions(3, 2)), ['v0', 'v1', 'v2']);
    assert.deepEqual(laterColumns(['v0', 'v1', 'v2', 'v3'], versions(5, 4)), ['v0', 'v1', 'v2', 'v3']);
    assert.deepEqual(laterColumns(['v0', 'gone'], versions(3)), ['v0', 'v1']);
    assert.deepEqual(laterColumns(['v0', 'gone'], versions(1)), [], 'there is nothing to compare');
  });

  it('step over the versions that others show', () => {
    const of = versions(6);
    assert.deepEqual(neighbours(of, ['v0', 'v1', 'v2', 'v3'], 0), { before: undefined, after: 'v4' });
    assert.deepEqual(neighbours(of, ['v0', 'v4', 'v2', 'v3'], 1), { before: 'v1', after: 'v5' });
    assert.deepEqual(neighbours(of, ['gone'], 0), {});
  });

  it('are always two to four versions that are there, each once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.array(fc.nat(199)), fc.nat(199), (count, streaming, about) => {
        const all = versions(count, ...streaming);
        const chosen = firstColumns(all, `v${about % count}`);
        assert.ok(chosen.length >= 2 || streaming.length > 0, chosen.join());
        for (const columns of [chosen, laterColumns(chosen, all)]) {
          assert.ok(columns.length <= 4);
          assert.equal(new Set(columns).size, columns.length);
          assert.ok(columns.every((id) => all.some((each) => each.id === id)));
        }
        assert.ok(laterColumns(chosen, all).length >= 2);
      }),
    );
  });
});

describe('The figures of a column', () => {
  const answer: Answer = {
    ...{ role: 'assistant', id: 'a', at: 1, text: 'x', reasoning: '', state: 'complete', finishReason: 'stop' },
    usage: { completionTokens: 90, cost: 0.002 },
    timings: { firstTokenMs: 100, totalMs: 1000 },
  };

  it('are its times, tokens, speed, cost and end', () => {
    assert.deepEqual(figuresOf(answer), {
      ...{ firstTokenMs: 100, totalMs: 1000, tokens: 90, tokensPerSecond: 100, cost: 0.002, finishReason: 'stop' },
    });
  });

  it('are the time of the first token alone while it is written, and nothing that nobody knows', () => {
    assert.deepEqual(figuresOf({ ...answer, state: 'streaming' }), { firstTokenMs: 100 });
    const bare = figuresOf({ ...answer, usage: undefined, finishReason: undefined, timings: {} });
    assert.ok(Object.values(bare).every((value) => value === undefined));
  });
});

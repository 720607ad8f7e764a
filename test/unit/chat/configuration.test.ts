import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Action } from '../../../src/chat/conversation/conversation.ts';
import { parseAction } from '../../../src/chat/history/actionSchema.ts';
import { type ConfigurationChange, configurationOf, resetOf } from '../../../src/chat/parameters/configuration.ts';
import { isParameter } from '../../../src/chat/parameters/parameterForms.ts';
import { play } from './actions.ts';

const configure = (at: number, change: ConfigurationChange): Action => ({ type: 'configure', at, ...change });
const nothing = { parameters: {}, leftOut: new Set() };
const own = (...actions: Action[]) => configurationOf(play(actions).conversation.configured);

describe('What a conversation has in the place of the settings', () => {
  it('is nothing at first', () => assert.deepEqual(own(), nothing));

  it('is the last change of each thing, whichever was taken in first', () => {
    const changes = [
      configure(10, { model: 'a', parameters: { temperature: 0.5 } }),
      configure(20, { model: 'b', systemPrompt: 'Be brief.' }),
      configure(30, { parameters: { temperature: 0, seed: 7 }, instructions: { 'file:///a/AGENTS.md': false } }),
    ];
    const expected = {
      model: 'b',
      systemPrompt: 'Be brief.',
      parameters: { temperature: 0, seed: 7 },
      leftOut: new Set(['file:///a/AGENTS.md']),
    };
    assert.deepEqual(own(...changes), expected);
    assert.deepEqual(own(...changes.toReversed()), expected);
  });

  it('is the same in every window where two changes have the same time', () => {
    const [one, other] = [configure(10, { model: 'a' }), configure(10, { model: 'b' })];
    assert.deepEqual(own(one, other), own(other, one));
    const [set, reset] = [configure(10, { parameters: { seed: 1 } }), configure(10, { parameters: { seed: null } })];
    assert.deepEqual(own(set, reset), own(reset, set));
  });

  it('is as the settings say again where a change says null, and after a reset', () => {
    assert.deepEqual(own(configure(10, { model: 'a' }), configure(20, { model: null })), nothing);
    const all = { model: 'a', systemPrompt: '', parameters: { top_p: 0.5 }, instructions: { x: false } };
    const reset = resetOf(own(configure(10, all)));
    assert.deepEqual(own(configure(10, all), configure(20, reset)), nothing);
  });

  it('tells an empty system prompt, which is none, from that of the settings', () => {
    assert.equal(own(configure(10, { systemPrompt: '' })).systemPrompt, '');
  });

  it('changes nothing that is shown, and is no change when it was overtaken', () => {
    const { conversation, patches } = play([configure(20, { model: 'b' })]);
    assert.deepEqual(patches, []);
    assert.equal(play([configure(10, { model: 'a' })], conversation).conversation, conversation);
  });

  it('is read from a file only as it was written', () => {
    const written = configure(10, { model: null, parameters: { temperature: 0.2, seed: null } });
    assert.deepEqual(parseAction(structuredClone(written)), written);
    assert.deepEqual(parseAction({ ...written, parameters: { temperature: 0.2, best_of: 5 } }), {
      ...written,
      parameters: { temperature: 0.2 },
    });
    for (const wrong of [
      { model: 7 },
      { systemPrompt: 'x'.repeat(100_001) },
      { parameters: { seed: '1' } },
      { at: 'x' },
    ])
      assert.equal(parseAction({ ...written, ...wrong }), undefined, JSON.stringify(wrong).slice(0, 60));
  });

  it('takes the values of each parameter that the API has for it, and no others', () => {
    const taken = [
      ['temperature', 0],
      ['temperature', 2.5],
      ['top_p', 1],
      ['max_tokens', 1],
      ['frequency_penalty', -2],
      ['seed', -1],
    ] as const;
    const refused = [
      ['temperature', -0.1],
      ['top_p', 1.1],
      ['max_tokens', 0],
      ['max_tokens', 1.5],
      ['seed', 0.5],
      ['presence_penalty', Number.NaN],
      ['temperature', Infinity],
    ] as const;
    for (const [name, value] of taken) assert.equal(isParameter(name, value), true, `${name} ${value}`);
    for (const [name, value] of refused) assert.equal(isParameter(name, value), false, `${name} ${value}`);
  });

  it('comes out the same from any changes in any order', () => {
    const change = fc.record(
      {
        model: fc.option(fc.constantFrom('a', 'b')),
        parameters: fc.record({ seed: fc.option(fc.nat(2)), top_p: fc.option(fc.nat(1)) }, { requiredKeys: [] }),
        instructions: fc.dictionary(fc.constantFrom('x', 'y'), fc.boolean()),
      },
      { requiredKeys: [] },
    );
    const changes = fc.array(fc.tuple(fc.nat(3), change), { maxLength: 8 });
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.nat()), (all, keys) => {
        const actions = all.map(([at, each]) => configure(at, each as ConfigurationChange));
        const shuffled = actions
          .map((action) => [keys.next().value ?? 0, action] as const)
          .sort(([one], [other]) => one - other)
          .map(([, action]) => action);
        assert.deepEqual(own(...shuffled), own(...actions));
      }),
      { seed: 8, numRuns: 1000 },
    );
  });
});

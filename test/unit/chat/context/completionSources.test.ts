import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CompletionSource, createCompletionSources } from '../../../../src/chat/context/completionSources.ts';

const source = (trigger: '@' | '/', labels: readonly string[], chosen: string[] = []): CompletionSource => ({
  trigger,
  find: async (text) =>
    labels
      .filter((label) => label.startsWith(text))
      .map((label) => ({
        label,
        icon: 'file',
        choose: () => void chosen.push(label),
      })),
});
const noFault = (error: unknown): never => assert.fail(String(error));

describe('Sources of choices', () => {
  it('are asked by their trigger, in their order', async () => {
    const all = createCompletionSources([source('@', ['b', 'ba']), source('/', ['bx']), source('@', ['bc'])], noFault);
    const found = await all.find('@', 'b');
    assert.deepEqual(
      found?.map(({ label, kind, detail }) => [label, kind, detail]),
      [
        ['b', 'item', ''],
        ['ba', 'item', ''],
        ['bc', 'item', ''],
      ],
    );
  });

  it('do what is chosen of what they offered, and nothing else', async () => {
    const chosen: string[] = [];
    const all = createCompletionSources([source('/', ['fix', 'find'], chosen)], noFault);
    const [fix] = (await all.find('/', 'f')) ?? [];
    await all.find('/', 'fi');
    await all.choose(fix?.id ?? '');
    assert.deepEqual(chosen, ['fix'], 'a page may choose of the list before');
    await all.choose('../../etc/passwd');
    assert.deepEqual(chosen, ['fix']);
  });

  it('lead on by a step, which nobody can choose', async () => {
    const steps: CompletionSource = { trigger: '@', find: async () => [{ label: 'file:', icon: 'file' }] };
    const all = createCompletionSources([steps], noFault);
    const [step] = (await all.find('@', '')) ?? [];
    assert.equal(step?.kind, 'step');
    await all.choose(step?.id ?? '');
  });

  it('go on without one that fails', async () => {
    const faults: unknown[] = [];
    const failing: CompletionSource = { trigger: '@', find: () => Promise.reject(new Error('no disk')) };
    const all = createCompletionSources([failing, source('@', ['a'])], (error) => faults.push(error));
    assert.deepEqual(
      (await all.find('@', ''))?.map(({ label }) => label),
      ['a'],
    );
    assert.match(String(faults), /no disk/);
  });

  it('are stopped, and give nothing, when more was typed meanwhile', async () => {
    const signals: AbortSignal[] = [];
    const slow: CompletionSource = {
      trigger: '@',
      find: (text, signal) => {
        signals.push(signal);
        return text === 'a'
          ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
          : Promise.resolve([{ label: text, icon: 'file' }]);
      },
    };
    const all = createCompletionSources([slow], noFault);
    const [first, second] = await Promise.all([all.find('@', 'a'), all.find('@', 'ab')]);
    assert.equal(first, undefined);
    assert.deepEqual(
      second?.map(({ label }) => label),
      ['ab'],
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
  });

  it('never offer more than fifty, however many there are', async () => {
    const all = createCompletionSources(
      [
        source(
          '@',
          Array.from({ length: 1000 }, (_, i) => `f${i}`),
        ),
      ],
      noFault,
    );
    assert.equal((await all.find('@', ''))?.length, 50);
  });
});

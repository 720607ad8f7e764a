import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtInPrompts, tasks } from '../../../../src/chat/prompts/builtIn.ts';
import { findPrompt, matchPrompts, mergePrompts, readPromptCall } from '../../../../src/chat/prompts/findPrompt.ts';

describe('A message that begins with a slash', () => {
  it('names a prompt, and the rest is its input', () => {
    for (const [message, name, input] of [
      ['/review', 'review', ''],
      ['  /review for races\nand leaks ', 'review', 'for races\nand leaks'],
      ['/review\nfor races', 'review', 'for races'],
      ['/v1.2-ü x', 'v1.2-ü', 'x'],
    ] as const) {
      assert.deepEqual(readPromptCall(message), { name, input }, message);
    }
  });

  it('is a question like others where no name stands there', () => {
    for (const message of ['Why?', 'a /review', '/', '/ x', '/etc/hosts is empty', '//comment', `/${'x'.repeat(65)}`])
      assert.equal(readPromptCall(message), undefined, message);
  });
});

describe('Prompts', () => {
  const from = (source: string, ...names: string[]) => names.map((name) => ({ name, source }));

  it('are found whatever the case of the name', () => {
    assert.equal(findPrompt(from('a', 'Review'), 'review')?.name, 'Review');
    assert.equal(findPrompt(from('a', 'Review'), 'rev'), undefined);
  });

  it('are offered when their name has what was typed, those first that begin with it', () => {
    const matching = (typed: string) =>
      matchPrompts(from('a', 'debug', 'Bug-report', 'fix'), typed).map(({ name }) => name);
    assert.deepEqual(matching('bug'), ['Bug-report', 'debug']);
    assert.deepEqual(matching(''), ['debug', 'Bug-report', 'fix']);
    assert.deepEqual(matching('x/'), []);
  });

  it('stand in for those of the same name in later lists', () => {
    const merged = mergePrompts(
      from('workspace', 'review'),
      from('user', 'Explain', 'review'),
      from('ours', 'explain', 'fix'),
    );
    assert.deepEqual(
      merged.map(({ name, source }) => `${name} ${source}`),
      ['Explain user', 'fix ours', 'review workspace'],
    );
  });

  it('of Parley are about the selection, each with what it does', () => {
    const words = { explain: 'a', fix: 'b', document: 'c', 'write-tests': 'd' };
    const prompts = builtInPrompts(words);
    assert.deepEqual(
      prompts.map(({ name }) => name),
      [...tasks],
    );
    for (const { template } of prompts) assert.match(template, /\n\n\{\{selection\}\}$/);
  });
});

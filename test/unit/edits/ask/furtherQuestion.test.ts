import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../../src/base/errors.ts';
import {
  askAgainMessages,
  askable,
  furtherTokens,
  type UnclearBlock,
} from '../../../../src/edits/ask/furtherQuestion.ts';
import { nearestLines } from '../../../../src/edits/ask/nearestLines.ts';
import { isToolRefusal } from '../../../../src/edits/ask/toolRefusal.ts';

const path = 'src/price.ts';
const file = Array.from({ length: 200 }, (_, at) => `line${at};`);
file[100] = '  return net + tax;';
const block: UnclearBlock = { path, reason: 'not-found', lines: ['return net + taxes;'] };
const ask = (blocks: readonly UnclearBlock[], form: 'tool' | 'blocks' = 'blocks') =>
  askAgainMessages({ blocks, files: new Map([[path, file]]), instruction: 'add\n the tax', form });
const asked = (blocks: readonly UnclearBlock[]): string => ask(blocks)[1]?.content ?? '';

describe('the question that asks again', () => {
  it('has the instruction, the reason, the nearest lines, and the block itself', () => {
    const text = asked([block]);
    assert.match(text, /^What was asked for: add the tax\n\n1\. src\/price\.ts: what it replaces is not in the file/);
    assert.match(
      text,
      /The nearest lines of the file are 93 to 109:\n```\nline92;[\s\S]*return net \+ tax;[\s\S]*line108;\n```/,
    );
    assert.ok(text.endsWith('The change was:\n```\nreturn net + taxes;\n```'));
  });

  it('has both halves of a block that says what it looks for, since the new one is nowhere else', () => {
    const fenced = (text: string): string => `\n\`\`\`\n${text}\n\`\`\``;
    const end = (fresh: readonly string[], lines = block.lines): string =>
      asked([{ ...block, lines, fresh }]).replace(/^[\s\S]*(?=The change was)/, '');
    const old = `The change was to replace:${fenced('return net + taxes;')}`;
    assert.equal(end(['return net + vat;']), `${old}\nwith:${fenced('return net + vat;')}`);
    assert.equal(end([]), `The change was to delete:${fenced('return net + taxes;')}`);
    assert.equal(end(['x();'], []), `The change was to add:${fenced('x();')}`);
    const long = { ...block, fresh: ['x'.repeat(8_000)] };
    assert.deepEqual(askable([long, block]), [block], 'both halves count');
  });

  it('shows the lines that the planner found near', () => {
    assert.match(asked([{ ...block, near: { first: 0, last: 1 } }]), /lines of the file are 1 to 10:/);
  });

  it('names the files where a block names none that is there', () => {
    assert.match(
      asked([{ ...block, path: 'x.ts', reason: 'unknown-file' }]),
      /there is no such file\.\nThe files are: src\/price\.ts\./,
    );
    assert.match(
      asked([{ ...block, path: undefined, reason: 'unknown-file' }]),
      /^.*\n\n1\. A file that is not named:/,
    );
  });

  it('is in blocks, or in calls of the tool', () => {
    assert.match(ask([block])[0]?.content ?? '', /<<<<<<< SEARCH/);
    assert.match(ask([block], 'tool')[0]?.content ?? '', /parley_propose_edit/);
  });

  it('is bounded, however many blocks there are, and however long they and the lines of the file are', () => {
    const long = { ...block, lines: ['x'.repeat(9_000)] };
    assert.deepEqual(askable([long, block]), [block]);
    const many = askable(Array.from({ length: 50 }, () => ({ ...block, near: { first: 0, last: 199 } })));
    assert.equal(many.length, 10);
    const wide = Array.from({ length: 200 }, () => 'y'.repeat(100_000));
    const question = { blocks: many, files: new Map([[path, wide]]), instruction: '', form: 'blocks' } as const;
    assert.ok(askAgainMessages(question).reduce((sum, { content }) => sum + content.length, 0) < 400_000);
  });

  it('tells beforehand roughly what it costs', () => {
    const question = { blocks: [block], files: new Map([[path, file]]), instruction: '', form: 'blocks' } as const;
    const tokens = furtherTokens(question);
    assert.ok(tokens > 200 && tokens < 600, `${tokens}`);
  });
});

describe('the lines nearest to a block', () => {
  it('have most words in common with it, and are as many', () => {
    assert.deepEqual(nearestLines(file, ['return tax', 'x']), { first: 99, last: 100 });
    assert.deepEqual(nearestLines(['a b', 'c d'], ['c', 'd', 'e']), { first: 0, last: 1 });
  });

  it('are none where nothing is alike', () => {
    assert.equal(nearestLines(file, ['zzz']), undefined);
    assert.equal(nearestLines([], ['a']), undefined);
    assert.equal(nearestLines(file, []), undefined);
  });
});

describe('a refusal of tools', () => {
  const refused = (status: number, message: string, param?: string) =>
    isToolRefusal(new ServiceError('bad-request', { status, message, ...(param === undefined ? {} : { param }) }));

  it('is told by its status and words', () => {
    assert.ok(refused(400, 'registry.ollama.ai/library/gemma does not support tools'));
    assert.ok(refused(404, 'No endpoints found that support tool use.'));
    assert.ok(refused(500, 'tools param requires --jinja flag'));
    assert.ok(refused(422, 'Extra inputs are not permitted', 'tools'));
  });

  it('is no other refusal', () => {
    assert.ok(!refused(400, 'max_tokens is too large'));
    assert.ok(!refused(401, 'no tools for you'));
    assert.ok(!refused(404, 'The model toolbox-7b does not exist'));
    assert.ok(!isToolRefusal(new Error('tools')));
  });
});

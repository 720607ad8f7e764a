import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../../src/base/tokens.ts';
import type { ChangedFile } from '../../../../src/scm/findings/changedFiles.ts';
import { fileText, reviewMessages } from '../../../../src/scm/findings/reviewPrompt.ts';
import { halves, planReview } from '../../../../src/scm/findings/splitReview.ts';
import { fileWith } from './files.ts';

/** Numbered lines of all requests, as the model reads them. */
const numbered = (files: readonly ChangedFile[]): string[] =>
  files.flatMap((file) =>
    [...fileText(file).matchAll(/^ *\d+ [ +].*$/gm)].map(([line]) => `${file.path} ${line.trim()}`),
  );

describe('the question for a review', () => {
  it('has the number of the new file before each line, and none before a removed one', () => {
    const file: ChangedFile = {
      path: 'src/a.ts',
      hunks: [
        {
          oldFirst: 9,
          first: 9,
          count: 2,
          lines: [
            { mark: ' ', text: 'kept' },
            { mark: '-', text: 'old' },
            { mark: '+', text: 'new ```' },
          ],
        },
      ],
    };
    const [system, user] = reviewMessages([file]);
    assert.match(system?.content ?? '', /one object for each finding/);
    assert.match(system?.content ?? '', /answer: \[\]$/);
    assert.equal(user?.content, 'Review this change.\n\nFile: src/a.ts\n````\n 9   kept\n   - old\n10 + new ```\n````');
  });
});

describe('a large diff', () => {
  it('is one request as long as it is small', () => {
    const files = [fileWith('a.ts', 20, [3]), fileWith('b.ts', 20, [4])];
    assert.deepEqual(planReview(files), { requests: [files], left: [] });
    assert.deepEqual(planReview([]), { requests: [], left: [] });
  });

  it('is divided by file, then by hunk, then by lines, and keeps every line with its number', () => {
    const files = [
      fileWith('a.ts', 30, [3]),
      fileWith('hunks.ts', 400, [10, 100, 200, 300]),
      fileWith(
        'lines.ts',
        300,
        Array.from({ length: 250 }, (_, at) => at + 20),
      ),
    ];
    const { requests, left } = planReview(files, 300);
    assert.deepEqual(left, []);
    assert.ok(requests.length > 5);
    for (const request of requests)
      assert.ok(request.reduce((sum, file) => sum + estimateTokens(fileText(file)), 0) < 500);
    const short = (lines: string[]): string[] => lines.map((line) => line.replace(/ +/g, ' '));
    assert.deepEqual(short(numbered(requests.flat())), short(numbered(files)));
  });

  it('has no more requests than anybody waits for, and names what is left', () => {
    const files = Array.from({ length: 10 }, (_, at) => fileWith(`${at}.ts`, 30, [3]));
    const { requests, left } = planReview(files, 30, 3);
    assert.equal(requests.length, 3);
    assert.deepEqual(left, ['3.ts', '4.ts', '5.ts', '6.ts', '7.ts', '8.ts', '9.ts']);
  });

  it('is halved until a line is left', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }), (lines, count) => {
        const added = Array.from({ length: lines }, (_, at) => at + 1);
        const files = Array.from({ length: count }, (_, at) => fileWith(`${at}.ts`, lines, added));
        const queue: ChangedFile[][] = [files];
        const single: ChangedFile[] = [];
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const divided = halves(next);
          if (divided === undefined) single.push(...next);
          else queue.unshift(...divided);
        }
        assert.deepEqual(numbered(single).length, lines * count);
        assert.deepEqual(new Set(numbered(single).map((line) => line.replace(/ +/g, ' '))).size, lines * count);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findContext, type WorkspaceSearch } from '../../../../src/chat/context/workspaceContext.ts';
import { promptWith } from '../../../../src/chat/conversation/attachment.ts';

const signal = new AbortController().signal;
const finding = (found: Awaited<ReturnType<WorkspaceSearch['search']>>): WorkspaceSearch => ({
  isAvailable: () => true,
  search: async (_text, limit) => found.slice(0, limit),
});
const piece = { path: 'src/tides/loadTable.ts', startLine: 3, endLine: 9, text: 'export function loadTideTable() {\n' };

describe('The context that is searched for a question', () => {
  it('is what was found, each piece named by its file and lines', async () => {
    const context = await findContext(finding([piece]), 'Where?', () => 'id', signal);
    assert.deepEqual(context, [
      {
        id: 'id',
        label: 'loadTable.ts:3-9',
        path: piece.path,
        languageId: 'ts',
        text: piece.text,
        range: { startLine: 3, endLine: 9 },
      },
    ]);
    assert.match(promptWith('Where?', context), /^Where\?\n\nFrom src\/tides\/loadTable\.ts, lines 3 to 9:\n\n```ts\n/);
  });

  it('is five pieces at most, so that a person can look through them', async () => {
    let ids = 0;
    const many = Array.from({ length: 20 }, (_, at) => ({ ...piece, path: `a${at}` }));
    const context = await findContext(finding(many), 'Where?', () => `${ids++}`, signal);
    assert.deepEqual(
      context.map(({ id, languageId }) => [id, languageId]),
      ['0', '1', '2', '3', '4'].map((id) => [id, '']),
    );
  });
});

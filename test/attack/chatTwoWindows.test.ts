import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHistory } from '../../src/chat/history/history.ts';
import { createReferenceService } from '../service/server.ts';
import { openWindow } from './openWindow.ts';
import { sized } from './size.ts';

test('windows that stream answers into the same folder at once each keep theirs, and all are listed', async (t) => {
  const service = await createReferenceService({ tokenDelayMs: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'parley-chat-'));
  t.after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ids = Array.from({ length: sized(6, 2) }, (_, index) => `c${index}`);
  const windows = ids.map((id) => openWindow(t, 'chatWindow.ts', [folder, service.baseUrl, id]));
  await Promise.all(windows.map(({ ended }) => ended));
  const history = createHistory(folder);
  for (const [index, id] of ids.entries()) {
    const last = (await history.load(id))?.messages.at(-1);
    assert.ok(last?.role === 'assistant' && last.state === 'complete', `${id}: ${windows[index]?.lines.at(-1)}`);
    assert.ok(last.text.endsWith('word20000'), last.text.slice(-40));
  }
  assert.deepEqual((await history.list()).map(({ id }) => id).sort(), ids);
});

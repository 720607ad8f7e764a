import assert from 'node:assert/strict';
import { commands, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { dialog, notification, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, startService } from '../support/service.ts';

/** What `test/host/attack.ts` says of the folder that is open. */
interface Hostile {
  /** What may be in nothing that is sent. */
  readonly forbidden: readonly string[];
  /** Ordinary files, in both folders of it together. */
  readonly files: number;
}

const hostile = JSON.parse(process.env.PARLEY_TEST_HOSTILE ?? '{}') as Hostile;
/** A large workspace is read for minutes on a slow machine. */
const patience = 30 * 60_000;

describe(`A hostile folder (${workspace.isTrusted ? 'trusted' : 'not trusted'})`, () => {
  let service: ReferenceService;
  const sent = (): string => JSON.stringify(service.requests.map(({ body }) => body));

  before(async () => {
    service = await startService();
    await connectTo(service);
  });
  after(async () => {
    await disconnect();
    await service.close();
  });
  beforeEach(() => notification.clear());

  if (!workspace.isTrusted) {
    it('is not read, and nothing is sent', async () => {
      for (const command of [Command.searchQuery, Command.searchIndexForCaller]) {
        await assert.rejects(async () => commands.executeCommand(command, 'harbourmaster'), { code: 'untrusted' });
      }
      assert.equal(service.requests.length, 0);
    });
    return;
  }

  it('is indexed to its end, without what is secret or lies outside, and can be searched', async () => {
    const indexing = commands.executeCommand<{ files: number } | undefined>(Command.searchIndex);
    await waitFor('.monaco-dialog-box .monaco-button:text-is("Index Now")', { timeout: patience });
    await dialog.press('Index Now');
    const result = await indexing;
    assert.ok(result !== undefined && result.files >= hostile.files / 2, JSON.stringify(result));
    for (const word of hostile.forbidden) assert.ok(!sent().includes(word), word);
    const hits = await commands.executeCommand<{ uri: unknown; text: string }[]>(Command.searchQuery, 'harbourmaster7');
    assert.ok(hits.length > 0);
  }).timeout(patience);

  it('answers a question with globs that would never end, by a sentence', async () => {
    for (const glob of [
      `${'*a'.repeat(20)}*b`,
      '{a,b}'.repeat(18),
      '['.repeat(10_000),
      '+(a|aa|a?|?a|*a)+(a|aa)+(a|b)x',
    ]) {
      const asked = commands.executeCommand<unknown[]>(Command.searchQuery, 'harbourmaster', { globs: [glob] });
      await Promise.resolve(asked).then(
        (hits) => assert.ok(Array.isArray(hits)),
        (error: { code?: string }) => assert.equal(error.code, 'invalid-request'),
      );
    }
    const hits = await commands.executeCommand<unknown[]>(Command.searchQuery, 'harbourmaster');
    assert.ok(hits.length > 0);
  });
});

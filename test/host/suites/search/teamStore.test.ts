/** The database of a team: set, tried, used by Index Workspace, lost, and forgotten. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import { textHash } from '../../../../src/search/chunker/chunker.ts';
import { repositoryName } from '../../../../src/search/team/repositoryName.ts';
import { openTeamStore } from '../../../../src/search/team/teamStore.ts';
import { toRows } from '../../../../src/search/vectors/quantise.ts';
import { DEFAULT_KEY } from '../../../service/auth.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, inputsOf, startIndexing, untilShown, writeScratch } from '../support/codeIndex.ts';
import { dialog, inputBox, notification, press, quickPick, waitFor } from '../support/hands.ts';
import { connectTo, disconnect, setting, startService } from '../support/service.ts';
import { startTeamServer, type TeamServer } from '../support/teamServer.ts';
import { screenshotInThemes } from '../support/themes.ts';
import { until } from '../support/until.ts';

describe('A team index', () => {
  let service: ReferenceService;
  let server: TeamServer;
  const sent = (): string[] => service.requests.filter((each) => each.path.endsWith('/embeddings')).flatMap(inputsOf);
  const said = (text: string): Promise<unknown> =>
    until(`it is said: ${text}`, async () => (await notification.texts()).some((each) => each.includes(text)));
  /** Sets an address by the command. */
  async function setAddress(address: string): Promise<void> {
    const running = commands.executeCommand(Command.searchSetTeamStore);
    await inputBox.enter(address, 'Team Index');
    await running;
  }

  /** Stores a text for the team, as CI does, with a vector that is that of a question. */
  async function publish(path: string, text: string, question: string): Promise<void> {
    const calm = new AbortController().signal;
    const repository = await repositoryName(folder(), calm);
    const store = await openTeamStore({ address: server.address, repository }, calm);
    const answer = await fetch(`${service.baseUrl}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${DEFAULT_KEY}` },
      body: JSON.stringify({ model: 'parley-embed', input: [question] }),
    });
    const { data } = (await answer.json()) as { data: { embedding: number[] }[] };
    const { vectors } = await store.status(calm);
    const hash = textHash(text);
    const rows = toRows([{ hash, vector: Float32Array.from(data[0]?.embedding ?? []) }]);
    await store.putVectors(vectors[0]?.source ?? '', rows, calm);
    const place = { startLine: 1, endLine: 1, names: ['jetty'], enclosing: [], nameWords: 'jetty', bodyWords: 'jetty' };
    await store.putFiles([{ path, hash, pathWords: 'pier', chunks: [{ hash, ...place }] }], calm);
    await store.close();
  }

  before(async () => {
    server = await startTeamServer();
    service = await startService();
    await connectTo(service);
    await deleteIndex();
    writeScratch('ferry.ts', 'export const ferry = "leaves at noon";\n');
  });
  after(async () => {
    await setting('parley.search.store', undefined);
    await deleteIndex();
    rmSync(join(folder(), 'scratch'), { recursive: true, force: true });
    await notification.clear();
    await disconnect();
    await service.close();
    await server.stop();
  });

  it('that cannot be used is said to be so, without its password, and nothing is kept', async () => {
    const running = commands.executeCommand(Command.searchSetTeamStore);
    await until('the box is there', async () => (await inputBox.message()).includes('PostgreSQL with pgvector'));
    assert.equal(await inputBox.isPassword(), true);
    await screenshotInThemes('team-index-address');
    await inputBox.enter('postgres://postgres:wrong@127.0.0.1:1/none', 'Team Index');
    await running;
    await said('The team index does not answer');
    await notification.clear();
    await setAddress(server.address.replace(encodeURIComponent(server.password), 'another-word'));
    await said('did not accept the user name or the password');
    assert.ok(!(await notification.texts()).join().includes('another-word'));
    await notification.clear();
    assert.equal(workspace.getConfiguration().get('parley.search.store'), 'local');
  });

  it('is tried, and gets the vectors of the next run', async () => {
    await setAddress(server.address);
    await said(`@127.0.0.1:${server.port}/postgres has 0 vectors`);
    assert.ok(!(await notification.texts()).join().includes(server.password));
    await screenshotInThemes('team-index-set');
    await notification.clear();
    assert.equal(workspace.getConfiguration().get('parley.search.store'), 'postgres');
    const running = startIndexing();
    await dialog.press('Index Now');
    await running;
    await said('The team index got');
    await notification.clear();
    await untilShown('files');
  });

  it('gives them to whoever has the same code: nothing of it is sent again', async () => {
    await deleteIndex();
    const before = sent().length;
    const running = startIndexing();
    await until('the question is asked', async () => (await dialog.text()).includes('Send what you search for to'));
    await dialog.press('Index Now');
    await running;
    await notification.clear();
    assert.deepEqual(sent().slice(before), []);
    const found = await commands.executeCommand('parley.search.query', 'at which hour leaves the ferry');
    assert.match(JSON.stringify(found), /ferry\.ts/);
  });

  it('answers for what has no vector here, as the budget of the day is used up', async () => {
    await setting('parley.embeddings.dailyTokenBudget', 1);
    const text = 'export const jetty = "of stone";\n';
    writeScratch('pier.ts', text);
    await untilShown('Indexing paused until tomorrow');
    const question = 'at what place do ships land';
    await publish('scratch/pier.ts', text, question);
    const before = sent().length;
    const found = await commands.executeCommand('parley.search.query', question);
    assert.match(JSON.stringify(found), /pier\.ts/);
    assert.deepEqual(sent().slice(before), [question]);
    await commands.executeCommand(Command.searchQuery);
    await quickPick.filter(question);
    await waitFor('.quick-input-title:has-text("the rest by the team index")');
    await screenshotInThemes('team-index-answers');
    await press('Escape');
    await quickPick.untilClosed();
    await setting('parley.embeddings.dailyTokenBudget', undefined);
    await notification.clear();
  });

  it('that is gone is told of, and the run goes on without it', async () => {
    await server.stop();
    await deleteIndex();
    const running = startIndexing();
    await until('the question is asked', async () => /Send \d+ chunks of/.test(await dialog.text()));
    await dialog.press('Index Now');
    await running;
    await said('The team index does not answer: there is no PostgreSQL at its address now. Parley goes on without it.');
    await screenshotInThemes('team-index-gone');
    await notification.clear();
  });

  it('is forgotten by the same command', async () => {
    const running = commands.executeCommand(Command.searchSetTeamStore);
    await quickPick.choose('Forget the Team Index');
    await running;
    await said('The team index is forgotten');
    await notification.clear();
    assert.equal(workspace.getConfiguration().get('parley.search.store'), 'local');
    // The run asks no server any more, and has nothing to send.
    await startIndexing();
    await said('is up to date; nothing was sent.');
    await notification.clear();
  });
});

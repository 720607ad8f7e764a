/** The database of a team: set, tried, used by Index Workspace, lost, and forgotten. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { commands, workspace } from 'vscode';
import { Command } from '../../../../src/ids/ids.ts';
import type { ReferenceService } from '../../../service/options.ts';
import { deleteIndex, folder, inputsOf, startIndexing, untilShown, writeScratch } from '../support/codeIndex.ts';
import { dialog, inputBox, notification, quickPick } from '../support/hands.ts';
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

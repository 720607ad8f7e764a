import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { subject } from '../support/subject.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('Activation', () => {
  it('activates', async () => {
    await subject().activate();
    assert.equal(subject().isActive, true);
  });

  it('registers every command that the manifest contributes', async () => {
    await subject().activate();
    const registered = new Set(await commands.getCommands(true));
    const { contributes } = subject().packageJSON as Manifest;
    const missing = contributes.commands.map(({ command }) => command).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });
});

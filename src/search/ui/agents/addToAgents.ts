import { dirname } from 'node:path';
import { l10n, type QuickPickItem, Uri, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { chosenItem, untilAnswered } from '../../../editor/quickInput.ts';
import { plain, plainLines } from '../../../editor/text/plainText.ts';
import { plainItems, window } from '../../../editor/text/window.ts';
import { roots } from '../../../workspace/ui/folders.ts';
import { type AgentHost, agentHosts } from '../../mcp/agentHosts.ts';
import { ConfigProblem, type ServerCommand } from '../../mcp/configEntry.ts';

/** A configuration file, as it is. */
interface HostState {
  readonly host: AgentHost;
  /** The text of the file; empty where there is none. */
  readonly text: string;
  /** Whether the search is entered; undefined where the file cannot be read in its form. */
  readonly isAdded: boolean | undefined;
}

/**
 * `Add Code Search to Agents…`: shows what would be put into the configuration file of an agent, and puts it there; or takes it out.
 * @param launch writes the launcher, and gives its path
 */
export async function addToAgents(notices: Notices, launch: () => Promise<string>): Promise<void> {
  const states = await Promise.all(agentHosts(roots()[0]).map(stateOf));
  const state = await pickHost(states);
  if (state === undefined) return;
  const { host, text, isAdded } = state;
  const openFile = { title: l10n.t('Open File'), command: 'vscode.open', arguments: [Uri.file(host.path)] };
  const unreadable = l10n.t('{0} is not in the form that it should have, so nothing was changed.', host.path);
  // No message is waited for: it stays until the user closes it.
  if (isAdded === undefined) return void notices.warn(unreadable, openFile);
  const launcher = await launch();
  const server = serverOf(host, launcher, process.platform);
  if (!(await isConfirmed(host, server, isAdded))) return;
  try {
    const now = await stateOf(host);
    if (now.text !== text) {
      return void notices.warn(
        l10n.t('{0} has changed meanwhile, so nothing was written. Try it again.', host.path),
        openFile,
      );
    }
    await write(host.path, isAdded ? host.entry.remove(text) : host.entry.put(text, server));
  } catch (error) {
    if (error instanceof ConfigProblem) return void notices.warn(unreadable, openFile);
    return void notices.warn(l10n.t('{0} cannot be written on the disk.', host.path), openFile);
  }
  const done = isAdded
    ? l10n.t('The code search is taken out of {0}.', host.path)
    : l10n.t('The code search is added to {0}. Agents that are running see it when they are started again.', host.path);
  void notices.info(done, openFile);
}

/** On Windows, programs start a script only by the shell. */
function serverOf({ args }: AgentHost, launcher: string, platform: NodeJS.Platform): ServerCommand {
  const all = ['mcp', ...args];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', launcher, ...all] } : { command: launcher, args: all };
}

async function stateOf(host: AgentHost): Promise<HostState> {
  const open = workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.fsPath === host.path);
  const text = open?.getText() ?? (await readText(host.path));
  try {
    return { host, text, isAdded: open === undefined ? host.entry.isIn(text) : undefined };
  } catch {
    return { host, text, isAdded: undefined };
  }
}

async function readText(path: string): Promise<string> {
  try {
    return Buffer.from(await workspace.fs.readFile(Uri.file(path))).toString('utf8');
  } catch {
    return '';
  }
}

/** VS Code writes through links, keeps the mode of a file, and makes folders. */
async function write(path: string, text: string): Promise<void> {
  await workspace.fs.createDirectory(Uri.file(dirname(path)));
  await workspace.fs.writeFile(Uri.file(path), Buffer.from(text, 'utf8'));
}

function pickHost(states: readonly HostState[]): Promise<HostState | undefined> {
  const pick = window.createQuickPick<QuickPickItem & { state: HostState }>();
  pick.title = plain(l10n.t('Add Code Search to Agents'));
  pick.placeholder = plain(l10n.t('Choose where; you see what is written first'));
  pick.matchOnDescription = true;
  pick.items = plainItems(
    states.map((state) => ({
      label: state.host.id === 'folder' ? l10n.t('{0} in this folder', state.host.name) : state.host.name,
      description: state.isAdded ? l10n.t('added') : '',
      detail:
        state.host.id === 'folder'
          ? l10n.t('For Claude Code, Copilot, Cursor and others, in this folder alone')
          : state.host.path,
      state,
    })),
  );
  return untilAnswered(pick, () => chosenItem(pick)?.state);
}

async function isConfirmed({ path, entry }: AgentHost, server: ServerCommand, isAdded: boolean): Promise<boolean> {
  const yes = isAdded ? l10n.t('Take Out') : l10n.t('Add');
  const question = isAdded
    ? l10n.t('Take the code search out of {0}?', path)
    : l10n.t('Add the code search to {0}?', path);
  const detail = isAdded
    ? entry.alone(server)
    : [
        entry.alone(server),
        '',
        l10n.t(
          'Agents can then search the code of the folder that they work in. They get no key, and send nothing that you did not allow here.',
        ),
      ].join('\n');
  return (
    (await window.showInformationMessage(plain(question), { modal: true, detail: plainLines(detail) }, yes)) === yes
  );
}

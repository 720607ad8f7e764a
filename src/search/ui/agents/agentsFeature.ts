import { join } from 'node:path';
import type { Disposable } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { Command } from '../../../ids/ids.ts';
import { dataFolder } from '../../registry/dataFolder.ts';
import { type LaunchTarget, launcherExists, writeLauncher } from '../../registry/launcher.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import { addToAgents } from './addToAgents.ts';
import { manageIndexes } from './manageIndexes.ts';
import { provideMcpServer } from './mcpDefinitions.ts';
import { recordIndex } from './recordIndex.ts';

/** What other programs have of the code search: the record of the index, the MCP server, and the entries in the files of agents. */
export function registerAgents(services: Services, index: SearchIndex): Disposable {
  const owned = new Disposables();
  const { context, notices, log } = services;
  const data = dataFolder();
  const target: LaunchTarget = {
    node: process.execPath,
    script: context.asAbsolutePath(join('dist', 'parley-search.cjs')),
    version: String(context.extension.packageJSON.version),
  };
  owned.add(recordIndex(services, index, data));
  owned.add(provideMcpServer(target));
  owned.add(
    registerCommand(Command.searchAddToAgents, notices, () => addToAgents(notices, () => writeLauncher(data, target))),
  );
  owned.add(registerCommand(Command.searchManageIndexes, notices, () => manageIndexes(data)));
  // Agents that were told of it before start this version from now on. Whoever never asked for it gets no file.
  if (launcherExists(data)) {
    writeLauncher(data, target).catch((error: unknown) => log.warn(describeForLog(error)));
  }
  return owned;
}

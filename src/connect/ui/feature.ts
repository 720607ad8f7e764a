import type { Disposable } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids.ts';
import { usualPorts } from '../localServices.ts';
import { connect } from './connect.ts';
import { removeKey, setKey } from './key.ts';
import { testConnection } from './test.ts';

/** Address, key and models: Connect, Set API Key, Remove API Key, Test Connection. */
export function registerConnect(services: Services): Disposable {
  const owned = new Disposables();
  const { notices } = services;
  owned.add(registerCommand(Command.connect, notices, () => connect(services, usualPorts)));
  owned.add(registerCommand(Command.setApiKey, notices, () => setKey(services)));
  owned.add(registerCommand(Command.removeApiKey, notices, () => removeKey(services)));
  owned.add(registerCommand(Command.testConnection, notices, () => testConnection(services)));
  return owned;
}

import type { Disposable } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { Command } from '../../ids/ids.ts';
import { originOf } from '../../service/endpoint.ts';
import { usualPorts } from '../localServices.ts';
import { connect } from './connect.ts';
import { removeKey, setKey } from './key.ts';
import { showLearned } from './learned.ts';
import { testConnection } from './test.ts';

/** Address, key and models: Connect, Set API Key, Remove API Key, Test Connection; and what was learned of models. */
export function registerConnect(services: Services): Disposable {
  const owned = new Disposables();
  const { notices, connection } = services;

  /** A key for a connection without a model is half of a connection: the models are asked for next. */
  async function setKeyAndModel(): Promise<void> {
    const origin = await setKey(services);
    const baseUrl = connection.baseUrl('chat');
    if (origin === undefined || baseUrl === undefined || originOf(baseUrl) !== origin) return;
    if (connection.model('chat') === '')
      await connect(services, usualPorts, { step: 'chat', given: { baseUrl, models: {} } });
  }

  owned.add(registerCommand(Command.connect, notices, () => connect(services, usualPorts)));
  owned.add(registerCommand(Command.setApiKey, notices, setKeyAndModel));
  owned.add(registerCommand(Command.removeApiKey, notices, () => removeKey(services)));
  owned.add(registerCommand(Command.testConnection, notices, () => testConnection(services)));
  owned.add(registerCommand(Command.showLearned, notices, () => showLearned(services.client.memory, notices)));
  return owned;
}

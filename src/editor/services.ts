import type { ExtensionContext } from 'vscode';
import type { ServiceClient } from '../service/client.ts';
import type { Transport } from '../service/transport.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';
import type { Log } from './log.ts';
import type { Notices } from './notices.ts';
import type { WaitStatus } from './waitStatus.ts';

/** What every feature is given. */
export interface Services {
  readonly context: ExtensionContext;
  readonly log: Log;
  readonly notices: Notices;
  readonly keys: Keys;
  readonly connection: Connection;
  readonly transport: Transport;
  readonly waits: WaitStatus;
  readonly client: ServiceClient;
}

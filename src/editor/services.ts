import type { ExtensionContext } from 'vscode';
import type { Closing } from '../base/closing.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Connection } from './connection/connection.ts';
import type { Keys } from './connection/keys.ts';
import type { WaitStatus } from './connection/waitStatus.ts';
import type { Log } from './log.ts';
import type { Notices } from './notices.ts';

/** The services that every feature is given. */
export interface Services {
  readonly context: ExtensionContext;
  readonly log: Log;
  readonly notices: Notices;
  readonly keys: Keys;
  readonly connection: Connection;
  readonly waits: WaitStatus;
  readonly client: ServiceClient;
  readonly closing: Closing;
}

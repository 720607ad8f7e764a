import type {
  CodeActionProvider,
  Disposable,
  ExtensionContext,
  LanguageModelChatProvider,
  WebviewViewProvider,
} from 'vscode';
import type { conversationPanelType, languageModelVendor, Tool, transcriptPanelType, View } from '../ids/ids.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Connection } from './connection/connection.ts';
import type { Keys } from './connection/keys.ts';
import type { WaitStatus } from './connection/waitStatus.ts';
import type { Log } from './log.ts';
import type { Notices } from './notices.ts';
import type { PlainTool } from './text/shown.ts';
import type { PlainSerializer } from './text/window.ts';

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
  readonly give: Give;
}

/** Tasks to finish before VS Code ends; it waits a few seconds for these alone. */
export interface Closing {
  /** @param task finishes what is under way and writes it down; called once, when VS Code closes or Parley is turned off */
  add(task: () => Promise<unknown>): void;
  /** Resolves when all tasks are done. One that fails keeps no other from being done. */
  run(): Promise<void>;
}

/** @param onFailure told what a task failed with */
export function createClosing(onFailure: (error: unknown) => void): Closing {
  const tasks: (() => Promise<unknown>)[] = [];
  return {
    add: (task) => void tasks.push(task),
    run: async () => {
      await Promise.all(tasks.splice(0).map((task) => task().catch(onFailure)));
    },
  };
}

/** The id under which the actions for problems are given: VS Code has none for them. */
export const problemActions = 'problemActions';

/** What VS Code asks for by an id, from the start: with the first question all of Parley is loaded, and answers. */
export interface AskedById {
  readonly [View.chat]: WebviewViewProvider;
  readonly [conversationPanelType]: PlainSerializer;
  readonly [transcriptPanelType]: PlainSerializer;
  readonly [languageModelVendor]: LanguageModelChatProvider;
  readonly [Tool.searchCode]: PlainTool<object>;
  readonly [Tool.proposeEdit]: PlainTool<object>;
  readonly [Tool.translateAudio]: PlainTool<object>;
  readonly [problemActions]: CodeActionProvider;
}

/** Hands over what answers; disposing takes it back. */
export type Give = <Id extends keyof AskedById>(id: Id, answering: AskedById[Id]) => Disposable;

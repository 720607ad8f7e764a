/** The index of the open folder as the suites of code search build, fill and delete it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands, workspace } from 'vscode';
import type { IndexResult } from '../../../../src/editor/api.ts';
import { Command } from '../../../../src/ids/ids.ts';
import type { RecordedRequest } from '../../../service/options.ts';
import { dialog, notification, texts } from './hands.ts';
import { until } from './until.ts';

/** The entry of code search in the status bar. */
export const entry = '.statusbar-item[id$="parley.search"]';
/** The view Code Search with its header. */
export const view = '.pane:has(.pane-header[aria-label^="Code Search"])';

/** The path of the folder that is open. */
export function folder(): string {
  return workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}

/** Writes a file into the folder `scratch` of the workspace, and gives its path. */
export function writeScratch(path: string, content: string | Uint8Array): string {
  const file = join(folder(), 'scratch', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Starts Index Workspace; the question before an upload is still to be answered. */
export function startIndexing(): Thenable<IndexResult | undefined> {
  return commands.executeCommand<IndexResult | undefined>(Command.searchIndex);
}

/** Indexes the workspace, with a yes to the question that comes first. */
export async function indexAll(): Promise<IndexResult> {
  const running = startIndexing();
  await dialog.press('Index Now');
  const result = await running;
  assert.ok(result, 'the run was not finished');
  await notification.clear();
  return result;
}

/** Deletes the index and all vectors: the port of a service, and with it what was embedded there, may come again. */
export async function deleteIndex(): Promise<void> {
  const running = commands.executeCommand(Command.searchDeleteIndex);
  await dialog.press('Delete All Vectors Too');
  await running;
  await notification.clear();
}

/** Waits until the entry in the status bar says so. */
export function untilShown(text: string): Promise<unknown> {
  return until(`the status bar says “${text}”`, async () => (await texts(entry)).join().includes(text));
}

/** The texts that a request asked to be embedded. */
export function inputsOf({ body }: RecordedRequest): string[] {
  return [(body as { input?: string | string[] } | undefined)?.input ?? []].flat();
}

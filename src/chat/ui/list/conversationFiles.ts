import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { l10n, Uri, workspace } from 'vscode';
import { relativeTime } from '../../../editor/sentences/relativeTime.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { View } from '../../../ids/ids.ts';
import { type Action, type Conversation, emptyConversation, titleOf } from '../../conversation/conversation.ts';
import { replay } from '../../conversation/reduce.ts';
import { exportJson, isSameConversation } from '../../exchange/exportJson.ts';
import { type Imported, type ImportProblem, importJson, largestImport } from '../../exchange/importJson.ts';
import type { History } from '../../history/history.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { workspacePlace } from '../conversations/workspacePlace.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';
import { idOf } from './conversationRows.ts';

/** Conversations go into a JSON file, and come out of one. */
export interface ConversationFiles {
  /** Asks for a place, and writes there the conversation of a row, or those that the user picks. */
  save(row: unknown): Promise<void>;
  /** Asks for files, and takes in the conversations in them. */
  open(): Promise<void>;
}

/** The conversations that are saved, and those that are taken in. */
export interface ConversationFilesParts {
  readonly history: History;
  readonly conversations: OpenConversations;
  readonly surfaces: Surfaces;
}

/** What was taken in of a file, and how many of its conversations were there before. */
interface Taken extends Imported {
  readonly same: number;
}

/** The most conversations of one name that are read to compare them. */
const mostCompared = 50;
const filters = { JSON: ['json'] };

/** Where conversations go out, and are looked for, unless another place is picked. */
const firstFolder = (): Uri | undefined => workspace.workspaceFolders?.[0]?.uri;

export function createConversationFiles(
  { notices }: Services,
  { history, conversations, surfaces }: ConversationFilesParts,
): ConversationFiles {
  async function readAll(ids: readonly string[]): Promise<Conversation[]> {
    const all: Conversation[] = [];
    for (const id of ids) {
      const kept = await conversations.find(id);
      if (kept === undefined) continue;
      all.push(kept.found.session.conversation);
      await conversations.leave(kept.found);
    }
    return all;
  }

  async function pick(): Promise<string[]> {
    const current = surfaces.active.shown.conversation.id;
    const items = (await history.list()).map(({ id, title, updatedAt }) => ({
      id,
      label: title || l10n.t('Untitled'),
      description: relativeTime(updatedAt, Date.now()),
      picked: id === current,
    }));
    const title = l10n.t('Export Conversations as JSON');
    const placeHolder = items.length === 0 ? l10n.t('There are no conversations yet') : l10n.t('Which conversations?');
    const chosen = await window.showQuickPick(items, { title, placeHolder, canPickMany: true });
    return chosen?.map(({ id }) => id) ?? [];
  }

  async function take(file: Uri): Promise<Taken | undefined> {
    const result = await readImport(file, {
      now: Date.now(),
      workspace: workspacePlace(),
      isTaken: history.has,
      newId: randomUUID,
    });
    if (typeof result === 'string') {
      void notices.warn(problemText(result, basename(file.path)));
      return undefined;
    }
    const others: (readonly Action[])[] = [];
    for (const each of result.conversations) if (!(await isKept(each, history, readAll))) others.push(each);
    const same = result.conversations.length - others.length;
    const written = others.length === 0 ? 0 : await conversations.add(others);
    return { ...result, conversations: others.slice(0, written), same };
  }

  return {
    async save(row) {
      const id = idOf(row);
      const ids = id === undefined ? await pick() : [id];
      if (ids.length === 0) return;
      const target = await window.showSaveDialog({
        title: l10n.t('Export Conversations as JSON'),
        defaultUri: Uri.joinPath(firstFolder() ?? Uri.file('/'), 'conversations.json'),
        filters,
      });
      if (target === undefined) return;
      const text = exportJson(await readAll(ids));
      try {
        await workspace.fs.writeFile(target, Buffer.from(text));
      } catch {
        return notices.warn(l10n.t('{0} could not be written; pick another place for it.', target.fsPath));
      }
      void notices.info(l10n.t('{0} is saved.', basename(target.path)));
    },
    async open() {
      const folder = firstFolder();
      const files = await window.showOpenDialog({
        title: l10n.t('Import Conversations'),
        ...(folder && { defaultUri: folder }),
        openLabel: l10n.t('Import'),
        canSelectMany: true,
        filters,
      });
      const results = await window.withProgress({ location: { viewId: View.conversations } }, async () => {
        const all: Taken[] = [];
        for (const file of files ?? []) all.push(...[await take(file)].filter((each) => each !== undefined));
        return all;
      });
      const ids = results.flatMap((each) => each.conversations.map(firstId));
      const sum = (count: (each: Taken) => number): number => results.reduce((all, each) => all + count(each), 0);
      const same = sum((each) => each.same);
      if (ids.length + same === 0) return;
      if (ids.length === 1) await surfaces.active.shown.open(ids[0] ?? '');
      void notices.info(
        importedText(
          ids.length,
          same,
          sum((each) => each.leftOut),
        ),
      );
    },
  };
}

const firstId = ([first]: Imported['conversations'][number]): string => (first?.type === 'create' ? first.id : '');

/** Whether a conversation is there already. One that was imported before need not have its id, but has its name, unless that was changed. */
async function isKept(
  actions: readonly Action[],
  history: Pick<History, 'list'>,
  readAll: (ids: readonly string[]) => Promise<Conversation[]>,
): Promise<boolean> {
  const given = replay(emptyConversation(firstId(actions), 0), actions);
  const candidates = (await history.list()).filter(({ title }) => title === titleOf(given)).slice(0, mostCompared);
  for (const { id } of candidates) {
    const [kept] = await readAll([id]);
    if (kept !== undefined && isSameConversation(kept, given)) return true;
  }
  return false;
}

/** Why a file could not be taken in: what it holds, or that it could not be read at all. */
type FileProblem = ImportProblem | 'too-large' | 'unreadable';

async function readImport(file: Uri, options: Parameters<typeof importJson>[1]): Promise<Imported | FileProblem> {
  let bytes: Uint8Array;
  try {
    const { size } = await workspace.fs.stat(file);
    if (size > largestImport) return 'too-large';
    bytes = await workspace.fs.readFile(file);
  } catch {
    return 'unreadable';
  }
  return importJson(new TextDecoder().decode(bytes), options);
}

function problemText(problem: FileProblem, name: string): string {
  switch (problem) {
    case 'no-json':
      return l10n.t('{0} is no JSON, or only a part of it.', name);
    case 'another-format':
      return l10n.t('{0} holds no conversations that Parley has exported.', name);
    case 'newer':
      return l10n.t('{0} was exported by a newer version of Parley; update Parley to import it.', name);
    case 'empty':
      return l10n.t('{0} holds no conversation that can be read.', name);
    case 'too-large':
      return l10n.t('{0} is larger than 100 MB; export fewer conversations at once.', name);
    case 'unreadable':
      return l10n.t('{0} cannot be read.', name);
  }
}

function importedText(count: number, same: number, leftOut: number): string {
  const imported =
    count === 0
      ? ''
      : count === 1
        ? l10n.t('One conversation was imported.')
        : l10n.t('{0} conversations were imported.', count);
  const rest = leftOut === 0 ? '' : l10n.t('What could not be read was left out, in {0} places.', leftOut);
  const known =
    same === 0
      ? ''
      : same === 1
        ? l10n.t('One was there already, and was passed over.')
        : l10n.t('{0} were there already, and were passed over.', same);
  return [imported, known, rest].filter(Boolean).join(' ');
}

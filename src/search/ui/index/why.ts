import { posix } from 'node:path';
import { type Disposable, env, l10n, Uri, workspace } from 'vscode';
import { relativePath } from '../../../base/paths.ts';
import { registerCommand } from '../../../editor/commands.ts';
import type { Button } from '../../../editor/sentences/errorButtons.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { FileExplanation } from '../../indexing/explainFile.ts';
import { chunksText, numberText } from '../shared/sentences.ts';
import { indexScope } from './indexScope.ts';
import type { SearchIndex } from './searchIndex.ts';
import { exclusionText, openLine, type Reason, ruleReason, secretText } from './whyExcluded.ts';

/** `Why Is This File (Not) Indexed?`, for a file of the explorer or the active editor's. */
export function registerWhy({ notices }: Services, index: SearchIndex): Disposable {
  return registerCommand(Command.searchWhyFile, notices, async (chosen) => {
    const uri = chosen instanceof Uri ? chosen : window.activeTextEditor?.document.uri;
    const { sentence, action } = uri === undefined ? noFile() : await reasonFor(index, uri);
    // Not awaited: the message stays until the user closes it.
    void notices.info(sentence, action);
    return sentence;
  });
}

const noFile = (): Reason => ({
  sentence: l10n.t('Open a file, or choose one in the explorer, to see why it is or is not indexed.'),
});

async function reasonFor(index: SearchIndex, uri: Uri): Promise<Reason> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return obstacle;
  const root = workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  const path = root === undefined || uri.scheme !== 'file' ? undefined : relativePath(root, uri.fsPath);
  const name = posix.basename(uri.path);
  if (root === undefined || path === undefined) {
    return { sentence: l10n.t('{0} is not indexed: it is no file of this workspace.', name) };
  }
  const explanation = await index.client.why(indexScope(), root, path, await index.allowedModel());
  return explanationText(name, uri, explanation);
}

function explanationText(name: string, uri: Uri, explanation: FileExplanation): Reason {
  const indexNow: Button = { title: l10n.t('Index Workspace'), command: Command.searchIndex };
  switch (explanation.kind) {
    case 'indexed':
      return { sentence: indexedText(name, explanation), ...indexedAction(uri, explanation, indexNow) };
    case 'excluded':
      return exclusionText(name, uri, explanation.exclusion);
    case 'ignored':
      if (explanation.rule !== undefined) return ruleReason(name, explanation.rule);
      return { sentence: l10n.t('{0} is not indexed: git ignores it.', name) };
    case 'left-out-folder':
      return {
        sentence: l10n.t(
          '{0} is not indexed: files in {1} are other people’s code or made by tools.',
          name,
          explanation.folder,
        ),
      };
    case 'waiting':
      return { sentence: l10n.t('{0} belongs to the index, but has not been read yet.', name), action: indexNow };
    case 'missing':
      return { sentence: l10n.t('{0} is not indexed: there is no such file on the disk.', name) };
  }
}

/** The place of a secret is what the user may want to see; an index that is behind catches up when it is built. */
function indexedAction(uri: Uri, { isStale, secret }: Indexed, indexNow: Button): Pick<Reason, 'action'> {
  if (isStale) return { action: indexNow };
  return secret === undefined ? {} : { action: openLine(uri, secret.line) };
}

type Indexed = Extract<FileExplanation, { kind: 'indexed' }>;

function indexedText(name: string, { chunks, byMeaning, mtimeMs, isStale, secret }: Indexed): string {
  const date = new Date(mtimeMs).toLocaleString(env.language);
  const parts = [l10n.t('{0} is indexed as it was on {1}: {2}.', name, date, chunksText(chunks))];
  if (byMeaning === undefined) parts.push(l10n.t('It is found by keywords.'));
  else if (byMeaning >= chunks) parts.push(l10n.t('It is found by keywords and by meaning.'));
  else parts.push(l10n.t('It is found by keywords, and {0} of them by meaning.', numberText(byMeaning)));
  if (secret !== undefined)
    parts.push(
      l10n.t('Left out is what stands about line {0}, which holds {1}.', numberText(secret.line), secretText(secret)),
    );
  if (isStale) parts.push(l10n.t('It has changed since.'));
  return parts.join(' ');
}

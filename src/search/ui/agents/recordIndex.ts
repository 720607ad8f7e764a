import { type Disposable, workspace } from 'vscode';
import { createTaskQueue } from '../../../base/taskQueue.ts';
import { throttle } from '../../../base/throttle.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Services } from '../../../editor/services.ts';
import { findObstacle } from '../../../workspace/ui/folders.ts';
import type { IndexRecord } from '../../registry/indexRecord.ts';
import { openIndexRegistry } from '../../registry/indexRegistry.ts';
import { openQuestionServer, type QuestionServer } from '../../registry/questionServer.ts';
import { spaceKey } from '../../types.ts';
import { indexScope } from '../index/indexScope.ts';
import type { SearchIndex } from '../index/searchIndex.ts';

/** Between two looks at what has changed, in milliseconds. */
const lookEveryMs = 1_000;
/** The age from which the time of the last use is written again, in milliseconds. */
const usedEveryMs = 3_600_000;

/**
 * Records the index of this window for other programs of this user, as long as there is one, and gives them the vectors of their questions:
 * by the model and the consent of this window, with the key that stays here.
 */
export function recordIndex({ log, connection }: Services, index: SearchIndex, data: string): Disposable {
  const owned = new Disposables();
  const registry = openIndexRegistry(data);
  const inTurn = createTaskQueue();
  const { directory, cache } = index.paths;
  let written: { text: string; at: number } | undefined;
  let door: QuestionServer | undefined;
  let isClosed = false;

  async function recordOf(): Promise<Omit<IndexRecord, 'usedAt'>> {
    const { near: _, ...scope } = indexScope();
    const model = await index.allowedModel();
    const source = model && {
      model: model.model,
      documentPrefix: model.documentPrefix,
      queryPrefix: model.queryPrefix,
      origin: model.origin,
    };
    return { version: 1, directory, cachePath: cache, scope, ...(source && { source }) };
  }

  async function look(): Promise<void> {
    if (isClosed || findObstacle() !== undefined) return;
    if (!(await index.exists())) {
      if (written !== undefined) await registry.remove(directory, false);
      written = undefined;
      return;
    }
    const record = await recordOf();
    const text = JSON.stringify(record);
    if (written?.text !== text || Date.now() - written.at > usedEveryMs) {
      written = { text, at: Date.now() };
      await registry.write({ ...record, usedAt: written.at });
    }
    door ??= await openQuestionServer(data, directory, vectorFor);
  }

  async function vectorFor(text: string, space: string, signal: AbortSignal) {
    const model = await index.allowedModel();
    if (model === undefined) return 'consent';
    if (spaceKey(model) !== space) return 'model';
    const [vector] = await model.embed([text], signal).catch(() => []);
    return vector instanceof Float32Array ? vector : 'service';
  }

  const lookSoon = owned.add(
    throttle(() => void inTurn(look).catch((error: unknown) => log.warn(describeForLog(error))), lookEveryMs),
  );
  owned.add(index.onDidChange(lookSoon));
  owned.add(connection.onDidChange(lookSoon));
  owned.add(workspace.onDidChangeWorkspaceFolders(lookSoon));
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('parley') || change.affectsConfiguration('files')) lookSoon();
    }),
  );
  return {
    dispose() {
      isClosed = true;
      owned.dispose();
      void inTurn(async () => door?.close()).catch(() => undefined);
    },
  };
}

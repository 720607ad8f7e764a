import { l10n } from 'vscode';
import { isCancelled, ServiceError } from '../../../../base/errors.ts';
import { describeForLog } from '../../../../editor/log.ts';
import type { Services } from '../../../../editor/services.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import type { IndexResult, Plan } from '../../../engine/engineApi.ts';
import type { ImportResult } from '../../../team/sharedFile/shareVectors.ts';
import type { IndexDocuments } from '../indexDocuments.ts';
import { indexScope } from '../indexScope.ts';
import type { SearchIndex } from '../searchIndex.ts';
import type { FollowedWork } from './followedWork.ts';
import { sayTeamProblem } from './indexMessages.ts';
import { takeShared } from './takeShared.ts';
import { isUploadAllowed } from './uploadConsent.ts';
import type { UploadQuestion } from './uploadQuestion.ts';

/** What came of a run. */
export interface IndexRun {
  /** Undefined when the user said no. */
  result: IndexResult | undefined;
  /** Undefined when there is no service, and keywords alone were indexed. */
  endpoint: Endpoint | undefined;
  /** What was taken from shared files first. */
  shared?: ImportResult | undefined;
}

/** What a run works with. */
export interface IndexRunParts {
  readonly services: Services;
  readonly index: SearchIndex;
  readonly work: FollowedWork;
  readonly question: UploadQuestion;
  readonly documents: IndexDocuments;
}

/**
 * One run of `Index Workspace`: reads the files, takes vectors from shared files, asks where that is needed, and sends what has none.
 * @param given the path or address of a shared file, in place of those of the setting
 */
export async function runIndexing(parts: IndexRunParts, given?: string): Promise<IndexRun> {
  const { index, work } = parts;
  index.sending.resume();
  try {
    const endpoint = await index.endpoint();
    const read = (): Promise<Plan> =>
      work.follow(l10n.t('Parley: Reading the Workspace'), (following) =>
        index.client.plan(indexScope(), endpoint && index.sending.forQuestions(endpoint), following),
      );
    let plan = await read();
    if (plan.team?.problem !== undefined) sayTeamProblem(parts.services, plan.team.problem);
    index.keywordHalf.markPrepared();
    const shared = endpoint && (await takeShared(parts, endpoint, plan.pending.chunks, given));
    if (shared !== undefined && shared.taken > 0) plan = await read();
    if (endpoint !== undefined && !(await isAgreed(parts, endpoint, plan))) return { result: undefined, endpoint };
    const embeddingModel = endpoint && index.sending.forFiles(endpoint, true);
    const result = await work.follow(l10n.t('Parley: Indexing the Workspace'), (following) =>
      index.client.index(indexScope(), embeddingModel, following),
    );
    await refresh(parts);
    const { indexed, filesDone = 0 } = index.status ?? {};
    // Texts beyond the day's budget were left.
    if (embeddingModel?.allowance !== undefined && filesDone < (indexed?.files ?? 0)) {
      index.sending.pause('budget');
      throw new ServiceError('cancelled');
    }
    // The run was paused while its last requests were running.
    index.sending.resume();
    return { result, endpoint, shared };
  } catch (error) {
    await refresh(parts);
    if (!isCancelled(error)) index.setPhase({ kind: 'failed', error });
    throw error;
  }
}

async function isAgreed(parts: IndexRunParts, endpoint: Endpoint, plan: Plan): Promise<boolean> {
  const { index, question, documents } = parts;
  try {
    return await isUploadAllowed(index, endpoint, plan, question, documents);
  } finally {
    index.setPhase({ kind: 'idle' });
    await refresh(parts);
  }
}

function refresh({ index, services }: IndexRunParts): Promise<void> {
  return index.refresh().catch((error: unknown) => services.log.error(describeForLog(error)));
}

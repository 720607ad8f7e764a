import { type Disposable, l10n } from 'vscode';
import { ServiceError } from '../../../base/errors.ts';
import { throttle } from '../../../base/throttle.ts';
import { type Report, withProgress } from '../../../editor/progress.ts';
import type { Services } from '../../../editor/services.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import type { ChangedFile } from '../../findings/changedFiles.ts';
import { createFindingsReader } from '../../findings/readFindings.ts';
import type { ReviewFinding } from '../../findings/reviewFinding.ts';
import { halves, planReview } from '../../findings/splitReview.ts';
import { leftOutText } from './chooseChanges.ts';
import type { FindingThreads } from './findingThreads.ts';
import { findingsText, sayEnd } from './reviewEnd.ts';
import type { ReviewedChanges } from './reviewedFiles.ts';
import { requestReview } from './reviewRequest.ts';

/** Reviews of changes in git, of which one runs at a time. */
export interface DiffReviews extends Disposable {
  /** Begins a review; the one before is given up, and its findings go. Resolves when it has ended, however. */
  start(changes: ReviewedChanges): Promise<void>;
}

/** A review on its way. */
interface RunningReview {
  readonly changes: ReviewedChanges;
  /** Requests that are still to be answered. */
  readonly queue: (readonly ChangedFile[])[];
  /** Files that are beyond the most that is sent. */
  readonly left: readonly string[];
  /** The findings of each request that was answered, or is being answered. */
  readonly found: Map<object, readonly ReviewFinding[]>;
  answered: number;
  /** The last answer in which nothing could be read, though it says something. */
  unread: string | undefined;
}

/** How often comments follow an answer, in milliseconds. */
const showEvery = 100;

export function createDiffReviews(services: Services, threads: FindingThreads): DiffReviews {
  const { notices, connection } = services;
  let current: RunningReview | undefined;
  let running: AbortController | undefined;

  async function start(changes: ReviewedChanges): Promise<void> {
    if (changes.files.length === 0) {
      changes.edits.dispose();
      return void notices.warn(leftOutText());
    }
    const { requests, left } = planReview(changes.files);
    const endpoint = await connection.endpoint('chat');
    running?.abort();
    current = { changes, queue: [...requests], left, found: new Map(), answered: 0, unread: undefined };
    threads.begin(endpoint.model, changes.edits);
    await goOn(current);
  }

  /** Sends what is still to be sent; Retry does so again. What was found stays, whatever happens. */
  async function goOn(review: RunningReview): Promise<void> {
    if (review !== current) return start(review.changes);
    const controller = new AbortController();
    running?.abort();
    running = controller;
    try {
      const endpoint = await connection.endpoint('chat');
      await withProgress(l10n.t('Reviewing the changes'), async (cancel, report) => {
        const signal = AbortSignal.any([cancel, controller.signal]);
        while (review.queue.length > 0) await answerNext(review, endpoint, signal, report);
      });
      threads.end();
      void sayEnd(notices, [...review.found.values()].flat(), [...review.changes.gaps, ...review.left], review.unread);
    } catch (error) {
      void notices.error(error, () => goOn(review));
    }
  }

  /** Sends the next request. One that the model cannot read at once is sent in two. */
  async function answerNext(
    review: RunningReview,
    endpoint: Endpoint,
    signal: AbortSignal,
    report: Report,
  ): Promise<void> {
    const [files] = review.queue;
    if (files === undefined) return;
    try {
      await answer(review, files, endpoint, signal, report);
      review.answered++;
      review.queue.shift();
    } catch (error) {
      const isTooLong = error instanceof ServiceError && /^(context-length|too-large)$/.test(error.kind);
      const divided = isTooLong ? halves(files) : undefined;
      if (divided === undefined) throw error;
      review.queue.splice(0, 1, ...divided);
    }
  }

  async function answer(
    review: RunningReview,
    files: readonly ChangedFile[],
    endpoint: Endpoint,
    signal: AbortSignal,
    report: Report,
  ): Promise<void> {
    const { changes, found } = review;
    const reader = createFindingsReader(changes.files);
    const show = (): void => {
      if (review !== current) return;
      const findings = reader.findings;
      found.set(files, findings);
      threads.show(
        files,
        findings.flatMap((finding) => changes.placeOf(finding) ?? []),
      );
      report(progressText(review), (review.answered + 0.5) / (review.answered + review.queue.length));
    };
    const soon = throttle(show, showEvery);
    report(progressText(review));
    try {
      const text = await requestReview(services, { endpoint, files, reader, onFindings: soon }, signal);
      if (reader.findings.length === 0 && !reader.saysNothing) review.unread = text;
    } finally {
      soon.dispose();
      // A Retry that brought nothing leaves what was there.
      if (reader.findings.length > 0) show();
    }
  }

  return { start, dispose: () => running?.abort() };
}

/** How far a review is: `2 of 5`, and what was found. */
function progressText({ answered, queue, found }: RunningReview): string {
  const all = answered + queue.length;
  const parts = all > 1 ? [l10n.t('{0} of {1}', answered + 1, all)] : [];
  const findings = [...found.values()].flat();
  if (findings.length > 0) parts.push(findingsText(findings));
  return parts.join(' · ');
}

import { type Disposable, type Event, EventEmitter, Uri } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { ServiceError } from '../../../base/errors.ts';
import { estimateTokens } from '../../../base/tokens.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import type { Services } from '../../../editor/services.ts';
import { readSetting } from '../../../editor/settings.ts';
import { type Endpoint, originOf } from '../../../service/endpoint.ts';
import { type Budget, createBudget, dayOf, untilTomorrow } from '../../embedding/budget.ts';
import type { EmbeddingModel } from '../../embedding/embeddingModel.ts';
import { createLedger } from '../../embedding/ledger.ts';
import { withRetries } from '../../embedding/retries.ts';
import type { PausedBy } from '../shared/state.ts';

/** A wait of the requests to a service, until a time in milliseconds since the epoch. */
interface Wait {
  readonly origin: string;
  readonly until: number;
  /** The error that is retried; undefined where the service asks for the wait. */
  readonly error?: ServiceError | undefined;
}

/** Requests vectors from the service, in the extension host: counts their cost, keeps to the budget, can be paused. */
export interface Sending extends Disposable {
  readonly budget: Budget;
  readonly paused: PausedBy | undefined;
  /** The longest current wait of a request. */
  readonly wait: Wait | undefined;
  /** Fires when one of the two above changed. */
  readonly onDidChange: Event<void>;
  /** Fires when a new day has begun and work paused by the budget may go on. */
  readonly onTomorrow: Event<void>;
  /** A model for questions: they are always sent. */
  forQuestions(to: Endpoint): EmbeddingModel;
  /**
   * A model for files: a request while paused, or over the budget, ends as `cancelled`; running requests finish.
   * @param keepsRetrying requests are retried after a dropped connection
   */
  forFiles(to: Endpoint, keepsRetrying?: boolean): EmbeddingModel;
  pause(by: PausedBy): void;
  resume(): void;
}

export function createSending({ client, context, notices }: Services): Sending {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const tomorrow = owned.add(new EventEmitter<void>());
  const budget = createBudget(
    createLedger(Uri.joinPath(context.globalStorageUri, 'search', 'spent').fsPath),
    () => readSetting('parley.embeddings.dailyTokenBudget'),
    () => dayOf(new Date()),
  );
  let paused: PausedBy | undefined;
  /** Cancels the retries. */
  let pausing = new AbortController();
  /** Waits by request. */
  const waits = new Map<object, Wait>();
  let waited: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;

  function longestWait(): Wait | undefined {
    const [longest] = [...waits.values()].sort((a, b) => b.until - a.until);
    return longest !== undefined && longest.until > Date.now() ? longest : undefined;
  }

  function setWait(request: object, wait: Wait | undefined): void {
    if (wait === undefined && !waits.has(request)) return;
    if (wait === undefined) waits.delete(request);
    else waits.set(request, wait);
    clearTimeout(waited);
    const until = longestWait()?.until;
    // The end of a wait is no event of its own, so a timer reports it.
    if (until !== undefined) waited = setTimeout(() => changed.fire(), until - Date.now());
    changed.fire();
  }

  function setPaused(by: PausedBy | undefined): void {
    clearTimeout(timer);
    if (by === 'budget') {
      timer = setTimeout(() => {
        setPaused(undefined);
        tomorrow.fire();
      }, untilTomorrow(new Date()));
    }
    paused = by;
    if (by === undefined) pausing = new AbortController();
    else pausing.abort();
    changed.fire();
  }

  async function ask(to: Endpoint, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const estimate = estimateOf(texts);
    const origin = originOf(to.baseUrl);
    const request = {};
    const ended = budget.send(origin, estimate);
    let tokens = 0;
    try {
      const { vectors, usage } = await client.embed(to, texts, signal, {
        onAdjusted: (adjustment) => void notices.info(adjustmentText(adjustment)),
        onWait: (waitMs) => setWait(request, { origin, until: Date.now() + waitMs }),
      });
      tokens = usage?.totalTokens || usage?.promptTokens || estimate;
      return vectors;
    } finally {
      ended(tokens);
      setWait(request, undefined);
    }
  }

  function forQuestions(to: Endpoint): EmbeddingModel {
    return {
      model: to.model,
      url: to.baseUrl,
      origin: originOf(to.baseUrl),
      documentPrefix: readSetting('parley.embeddings.documentPrefix'),
      queryPrefix: readSetting('parley.embeddings.queryPrefix'),
      embed: (texts, signal, model = to.model) => ask({ ...to, model }, texts, signal),
      batchSize: client.memory.batchSize(to.baseUrl, to.model),
      learn: (size) => client.memory.setBatchSize(to.baseUrl, to.model, size),
    };
  }

  return {
    budget,
    get paused() {
      return paused;
    },
    get wait() {
      return longestWait();
    },
    onDidChange: changed.event,
    onTomorrow: tomorrow.event,
    forQuestions,
    forFiles(to, keepsRetrying = false) {
      const origin = originOf(to.baseUrl);
      let hasAnswered = false;
      const send = async (texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> => {
        const left = budget.left(origin);
        if (paused === undefined && left !== undefined && estimateOf(texts) > left) setPaused('budget');
        if (paused !== undefined) throw new ServiceError('cancelled');
        const vectors = await ask(to, texts, signal);
        hasAnswered = true;
        return vectors;
      };
      const allowance = budget.left(origin);
      if (allowance === 0 && paused === undefined) setPaused('budget');
      return {
        ...forQuestions(to),
        allowance,
        embed: (texts, signal) => {
          if (!keepsRetrying) return send(texts, signal);
          const request = {};
          const onWait = (waitMs: number | undefined, error?: ServiceError): void =>
            setWait(request, waitMs === undefined ? undefined : { origin, until: Date.now() + waitMs, error });
          const retryOptions = { hasAnswered: () => hasAnswered, onWait, clock: systemClock };
          return withRetries(() => send(texts, signal), retryOptions, AbortSignal.any([signal, pausing.signal]));
        },
      };
    },
    pause: setPaused,
    resume: () => setPaused(undefined),
    dispose() {
      clearTimeout(timer);
      clearTimeout(waited);
      owned.dispose();
    },
  };
}

function estimateOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

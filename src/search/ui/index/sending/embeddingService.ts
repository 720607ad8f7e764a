import { type Disposable, type Event, EventEmitter, Uri } from 'vscode';
import { systemClock } from '../../../../base/clock.ts';
import { ServiceError } from '../../../../base/errors.ts';
import { estimateTokens } from '../../../../base/tokens.ts';
import { Disposables } from '../../../../editor/disposables.ts';
import { adjustmentText } from '../../../../editor/sentences/adjustmentText.ts';
import type { Services } from '../../../../editor/services.ts';
import { readSetting } from '../../../../editor/settings.ts';
import { type Endpoint, originOf } from '../../../../service/endpoint.ts';
import { type Budget, createBudget, dayOf } from '../../../embedding/budget.ts';
import type { Embed, EmbeddingModel } from '../../../embedding/embeddingModel.ts';
import { createLedger } from '../../../embedding/ledger.ts';
import { withRetries } from '../../../embedding/retries.ts';
import type { PausedBy } from '../../shared/state.ts';
import { createPause } from './pause.ts';
import { createRequestWaits, type Wait } from './requestWaits.ts';

/** Requests vectors from the service, in the extension host: counts their cost, keeps to the budget, can be paused. */
export interface EmbeddingService extends Disposable {
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

export function createEmbeddingService({ client, context, notices }: Services): EmbeddingService {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const tomorrow = owned.add(new EventEmitter<void>());
  const budget = createBudget(
    createLedger(Uri.joinPath(context.globalStorageUri, 'search', 'spent').fsPath),
    () => readSetting('parley.embeddings.dailyTokenBudget'),
    () => dayOf(new Date()),
  );
  const waits = createRequestWaits(() => changed.fire());
  const pause = createPause(
    () => changed.fire(),
    () => tomorrow.fire(),
  );

  async function ask(to: Endpoint, texts: readonly string[], signal: AbortSignal): ReturnType<Embed> {
    const estimate = estimateOf(texts);
    const origin = originOf(to.baseUrl);
    const request = {};
    const ended = budget.send(origin, estimate);
    let tokens = 0;
    try {
      const { vectors, usage } = await client.embedEach(to, texts, signal, {
        onAdjusted: (adjustment) => void notices.info(adjustmentText(adjustment)),
        onWait: (waitMs, error) => waits.set(request, { origin, until: Date.now() + waitMs, error }),
      });
      tokens = usage?.totalTokens || usage?.promptTokens || estimate;
      return vectors;
    } finally {
      ended(tokens);
      waits.set(request, undefined);
    }
  }

  function forQuestions(to: Endpoint): EmbeddingModel {
    return {
      model: to.model,
      url: to.baseUrl,
      origin: originOf(to.baseUrl),
      documentPrefix: readSetting('parley.embeddings.documentPrefix'),
      queryPrefix: readSetting('parley.embeddings.queryPrefix'),
      embed: (texts, signal) => ask(to, texts, signal),
      batchSize: client.memory.batchSize(to.baseUrl, to.model),
      learn: (size) => client.memory.setBatchSize(to.baseUrl, to.model, size),
    };
  }

  return {
    budget,
    get paused() {
      return pause.by;
    },
    get wait() {
      return waits.longest;
    },
    onDidChange: changed.event,
    onTomorrow: tomorrow.event,
    forQuestions,
    forFiles(to, keepsRetrying = false) {
      const origin = originOf(to.baseUrl);
      let hasAnswered = false;
      const send = async (texts: readonly string[], signal: AbortSignal): ReturnType<Embed> => {
        const left = budget.left(origin);
        if (pause.by === undefined && left !== undefined && estimateOf(texts) > left) pause.set('budget');
        if (pause.by !== undefined) throw new ServiceError('cancelled');
        const vectors = await ask(to, texts, signal);
        hasAnswered = true;
        return vectors;
      };
      const allowance = budget.left(origin);
      if (allowance === 0 && pause.by === undefined) pause.set('budget');
      return {
        ...forQuestions(to),
        allowance,
        embed: (texts, signal) => {
          if (!keepsRetrying) return send(texts, signal);
          const request = {};
          const onWait = (waitMs: number | undefined, error?: ServiceError): void =>
            waits.set(request, waitMs === undefined ? undefined : { origin, until: Date.now() + waitMs, error });
          const retryOptions = { hasAnswered: () => hasAnswered, onWait, clock: systemClock };
          return withRetries(() => send(texts, signal), retryOptions, AbortSignal.any([signal, pause.signal]));
        },
      };
    },
    pause: pause.set,
    resume: () => pause.set(undefined),
    dispose() {
      pause.dispose();
      waits.dispose();
      owned.dispose();
    },
  };
}

function estimateOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

import { type Disposable, type Event, EventEmitter, Uri } from 'vscode';
import { adjustmentText } from '../../editor/adjustmentText.ts';
import { Disposables } from '../../editor/disposables.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { embed } from '../../service/embeddings.ts';
import { type Endpoint, originOf } from '../../service/endpoint.ts';
import { ServiceError } from '../../service/errors.ts';
import { estimateTokens } from '../../service/tokens.ts';
import { type Budget, createBudget, dayOf, untilTomorrow } from '../budget.ts';
import type { Meant } from '../engine.ts';
import { createLedger } from '../ledger.ts';
import type { PausedBy } from '../state.ts';

/** A service has requests wait until then, in milliseconds since the epoch. */
interface Wait {
  readonly origin: string;
  readonly until: number;
}

/** Asks the service for vectors, on this side of the worker: counts what it costs, keeps to the budget, can be paused. */
export interface Sending extends Disposable {
  readonly budget: Budget;
  readonly paused: PausedBy | undefined;
  /** The longest wait that the service now has a request keep. */
  readonly wait: Wait | undefined;
  /** One of the two above changed. */
  readonly onDidChange: Event<void>;
  /** A new day has begun, and what the budget had paused may go on. */
  readonly onTomorrow: Event<void>;
  /** For questions: they are always sent. */
  forQuestions(to: Endpoint): Meant;
  /** For files: what is asked while paused, or over the budget, ends as `cancelled`; requests on their way come home. */
  forFiles(to: Endpoint): Meant;
  pause(by: PausedBy): void;
  resume(): void;
}

export function createSending({ client: { transport, memory }, context, notices }: Services): Sending {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  const tomorrow = owned.add(new EventEmitter<void>());
  const budget = createBudget(
    createLedger(Uri.joinPath(context.globalStorageUri, 'search', 'spent').fsPath),
    () => readSetting('parley.embeddings.dailyTokenBudget'),
    () => dayOf(new Date()),
  );
  let paused: PausedBy | undefined;
  /** By request. */
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
    // Nobody says so when it is over.
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
    changed.fire();
  }

  async function ask(to: Endpoint, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const estimate = estimateOf(texts);
    const origin = originOf(to.baseUrl);
    const request = {};
    const ended = budget.send(origin, estimate);
    let tokens = 0;
    try {
      const { vectors, usage } = await embed(transport, to, texts, signal, {
        memory,
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

  function forQuestions(to: Endpoint): Meant {
    return {
      model: to.model,
      url: to.baseUrl,
      origin: originOf(to.baseUrl),
      documentPrefix: readSetting('parley.embeddings.documentPrefix'),
      queryPrefix: readSetting('parley.embeddings.queryPrefix'),
      embed: (texts, signal, model = to.model) => ask({ ...to, model }, texts, signal),
      batchSize: memory.batchSize(to.baseUrl, to.model),
      learn: (size) => memory.setBatchSize(to.baseUrl, to.model, size),
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
    forFiles(to) {
      const origin = originOf(to.baseUrl);
      const allowance = budget.left(origin);
      if (allowance === 0 && paused === undefined) setPaused('budget');
      return {
        ...forQuestions(to),
        allowance,
        embed: async (texts, signal) => {
          const left = budget.left(origin);
          if (paused === undefined && left !== undefined && estimateOf(texts) > left) setPaused('budget');
          if (paused !== undefined) throw new ServiceError('cancelled');
          return ask(to, texts, signal);
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

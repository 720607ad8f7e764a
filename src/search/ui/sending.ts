import { type Disposable, type Event, EventEmitter } from 'vscode';
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
import type { PausedBy } from '../state.ts';

/** Asks the service for vectors, on this side of the worker: counts what it costs, keeps to the budget, can be paused. */
export interface Sending extends Disposable {
  readonly budget: Budget;
  readonly paused: PausedBy | undefined;
  /** Until when the service has requests wait, in milliseconds since the epoch. */
  readonly waitUntil: number | undefined;
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
  const { globalState } = context;
  const budget = createBudget(
    { get: (key) => globalState.get(key), set: (key, value) => void globalState.update(key, value) },
    () => readSetting('parley.embeddings.dailyTokenBudget'),
    () => dayOf(new Date()),
  );
  let paused: PausedBy | undefined;
  let waitUntil: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function setWait(until: number | undefined): void {
    if (waitUntil === until) return;
    waitUntil = until;
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
    const ended = budget.send(originOf(to.baseUrl), estimate);
    let tokens = 0;
    try {
      const { vectors, usage } = await embed(transport, to, texts, signal, {
        memory,
        onAdjusted: (adjustment) => void notices.info(adjustmentText(adjustment)),
        onWait: (waitMs) => setWait(Date.now() + waitMs),
      });
      tokens = usage?.totalTokens || usage?.promptTokens || estimate;
      return vectors;
    } finally {
      ended(tokens);
      setWait(undefined);
    }
  }

  function forQuestions(to: Endpoint): Meant {
    return {
      model: to.model,
      url: to.baseUrl,
      origin: originOf(to.baseUrl),
      documentPrefix: readSetting('parley.embeddings.documentPrefix'),
      queryPrefix: readSetting('parley.embeddings.queryPrefix'),
      embed: (texts, signal) => ask(to, texts, signal),
      batchSize: memory.batchSize(to.baseUrl, to.model),
      learn: (size) => memory.setBatchSize(to.baseUrl, to.model, size),
    };
  }

  return {
    budget,
    get paused() {
      return paused;
    },
    get waitUntil() {
      return waitUntil;
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
      owned.dispose();
    },
  };
}

function estimateOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

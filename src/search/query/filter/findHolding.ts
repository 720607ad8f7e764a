import { ServiceError } from '../../../base/errors.ts';
import { nextTurn } from '../../../base/nextTurn.ts';
import type { Store } from '../../store/store.ts';
import type { ScannedChunk } from '../../store/textScan.ts';
import { badPattern, compileRule, type TextRule, type TextTest } from './textRule.ts';
import { withinTime } from './withinTime.ts';

/** A chunk that holds what a question wants of its text. */
export interface HeldChunk extends Pick<ScannedChunk, 'id' | 'file'> {
  /** Whether it declares a name that matches an expression of the question. */
  readonly declares: boolean;
}

/** The chunks that hold what a question wants of their text. */
export interface Holding {
  /** Those that hold all that has to be there, and nothing that must not; undefined where nothing has to be there. */
  readonly chunks: readonly HeldChunk[] | undefined;
  /** Share of the code that was looked through before the time was up. */
  readonly looked: number;
  /** Of some chunks, those that hold all that has to be there, and nothing that must not. */
  keep(ids: readonly number[]): Set<number>;
  /** The lines of a text, from 0, in which something that has to be there begins; the first ones. */
  linesIn(text: string): number[];
}

/** What a search through texts may cost. */
interface Limits {
  /** Milliseconds for all of it. */
  readonly wholeMs: number;
  /** Milliseconds after which an expression counts as one that does not end. */
  readonly batchMs: number;
  /** Chunks that are looked at before others get their turn. */
  readonly batch: number;
  /** The most chunks that are found. */
  readonly most: number;
}
const limits: Limits = { wholeMs: 1_500, batchMs: 1_000, batch: 250, most: 300 };
/** The most chunks with the words of a phrase that are looked at before all others. */
const mostWithWords = 2_000;
const mostLines = 5;

/**
 * Looks for what has to stand in the text of a hit: first where the word index has all of its words, then in all texts, for as long as
 * there is time.
 * @throws ServiceError `invalid-request`, `param` `pattern`, for a regular expression that is none, or does not end in time
 */
export async function findHolding(
  store: Pick<Store, 'scanAfter' | 'scanChunks' | 'chunksWithAll' | 'lastChunk'>,
  rules: readonly TextRule[],
  files: readonly number[] | undefined,
  signal: AbortSignal,
  { wholeMs, batchMs, batch, most }: Limits = limits,
): Promise<Holding> {
  const tests = rules.map(compileRule);
  const wanted = tests.filter(({ rule }) => !rule.isNegative);
  const slowest = (): ServiceError =>
    badPattern((tests.find(({ rule }) => rule.kind.endsWith('pattern')) ?? tests[0])?.rule.source ?? '', 'slow');

  function passing(chunks: readonly ScannedChunk[]): ScannedChunk[] {
    const done = withinTime(() => chunks.filter((chunk) => passes(chunk, tests)), batchMs);
    if (done === undefined) throw slowest();
    return done.value;
  }

  const kept = {
    keep: (ids: readonly number[]) => new Set(passing(store.scanChunks(ids)).map(({ id }) => id)),
    linesIn: (text: string) => withinTime(() => linesOf(text, wanted), batchMs)?.value ?? [],
  };
  if (wanted.length === 0) return { ...kept, chunks: undefined, looked: 1 };

  const found = new Map<number, HeldChunk>();
  const take = (chunks: readonly ScannedChunk[]): void => {
    for (const { id, file, names } of passing(chunks)) {
      if (found.size >= most) return;
      const declares = withinTime(() => wanted.some((each) => each.isDeclared(names)), batchMs)?.value ?? false;
      found.set(id, { id, file, declares });
    }
  };
  const end = performance.now() + wholeMs;
  const isOver = (): boolean => found.size >= most || performance.now() > end;
  const { words, declared } = wordsOf(wanted);
  const likely = store.chunksWithAll(words, declared, mostWithWords, files);
  for (let at = 0; at < likely.length && !isOver(); at += batch) {
    take(store.scanChunks(likely.slice(at, at + batch)));
    await pause(signal);
  }
  let last = 0;
  for (let isMore = true; isMore && !isOver(); ) {
    const chunks = store.scanAfter(last, batch, files);
    take(chunks);
    isMore = chunks.length === batch;
    last = isMore ? (chunks.at(-1)?.id ?? last) : Number.POSITIVE_INFINITY;
    await pause(signal);
  }
  const whole = store.lastChunk();
  const looked = found.size >= most || whole === 0 ? 1 : Math.min(1, last / whole);
  return { ...kept, chunks: [...found.values()], looked };
}

async function pause(signal: AbortSignal): Promise<void> {
  await nextTurn();
  if (signal.aborted) throw new ServiceError('cancelled');
}

function passes(chunk: ScannedChunk, tests: readonly TextTest[]): boolean {
  return tests.every((test) => test.holds(chunk) !== test.rule.isNegative);
}

/** The words that a chunk has in the word index where it holds a phrase, and those of the names that it declares. */
function wordsOf(wanted: readonly TextTest[]): { words: string[]; declared: string[] } {
  const of = (kind: TextRule['kind']): string[] =>
    wanted.flatMap(({ rule }) => (rule.kind === kind ? (rule.source.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []) : []));
  return { words: of('phrase').slice(0, 30), declared: of('symbol').slice(-1) };
}

function linesOf(text: string, wanted: readonly TextTest[]): number[] {
  const lines = new Set<number>();
  for (const { places } of wanted) {
    let [line, from] = [0, 0];
    for (const at of places(text)) {
      for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
        line++;
        from = next + 1;
      }
      lines.add(line);
      if (lines.size >= mostLines) return [...lines];
    }
  }
  return [...lines];
}

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { chunkFile, linesToCover, type Reuse, textHash } from './chunks.ts';
import type { FileChange } from './fileRows.ts';
import { examineFile, type Known } from './files.ts';
import { createFilter } from './filter.ts';
import type { Scope } from './protocol.ts';
import { createRpc, type Methods } from './rpc.ts';

/** What decides of the files of a root, beside what they hold. Goes between threads. */
export interface ExaminerData {
  root: string;
  scope: Scope;
  /** What `.gitattributes` says of paths. */
  generated: ReadonlyMap<string, boolean>;
  /** The last look was by the same rules: a file with the stamp it had is not read again. */
  trusted: boolean;
  /** The last look cut texts as this one does. */
  sameChunker: boolean;
}

export type Finding = FileChange | 'unchanged' | 'missing';

/** Looks at files one by one: whether they are in the index, and in which chunks. */
export interface Examiner {
  /** How many files to ask for at once. */
  readonly lanes: number;
  /** @param known what was found at the last look */
  examine(path: string, known: Known | undefined): Promise<Finding>;
  close(): Promise<void>;
}

export interface ExaminerMethods extends Methods {
  examine: { params: { path: string; known: Known | undefined }; result: Finding };
}

/** Whether a text of this SHA-256 was ever embedded. */
export type IsPaid = Reuse['isPaid'];

/** @param isPaid undefined where nothing was */
export function createExaminer(data: ExaminerData, isPaid?: IsPaid): Examiner {
  const filter = createFilter(data.root, data.scope, data.generated);
  return {
    lanes: 8,
    async examine(path, known) {
      const examined = await examineFile(filter, path, data.trusted ? known : undefined);
      switch (examined.kind) {
        case 'text': {
          const { stamp, text, hash } = examined;
          const isSame = data.sameChunker && known?.hash === hash;
          if (isSame) return { path, stamp, content: undefined };
          const reuse = isPaid && { isPaid, isKnown: known?.hash !== undefined };
          const chunks = await chunkFile(path, text, reuse);
          return { path, stamp, content: { hash, chunks, lines: linesToCover(path, text) } };
        }
        case 'excluded':
          return { path, stamp: examined.stamp, content: examined.exclusion.reason };
        default:
          return examined.kind;
      }
    },
    close: async () => undefined,
  };
}

/** The bundle of examinerThread.ts lies beside that of the worker. */
const script =
  import.meta.dirname === undefined
    ? join(__dirname, 'searchExaminer.cjs')
    : join(import.meta.dirname, 'examinerThread.ts');
/** As of the worker: what is made is short-lived. */
const youngMegabytes = 24;

/**
 * The same in a thread of its own, for many files: reading and parsing them takes about as long as putting them into the
 * index. The thread knows nothing of what was paid for; where that matters, and when it ends, a file is looked at here.
 */
export function createExaminerThread(data: ExaminerData, isPaid?: IsPaid): Examiner {
  const here = createExaminer(data, isPaid);
  const worker = new Worker(script, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes } });
  const rpc = createRpc<ExaminerMethods>(worker, {});
  let isRunning = true;
  const end = (): void => {
    isRunning = false;
    rpc.fail(new Error('The thread ended.'));
  };
  worker.on('error', end).on('exit', end);

  return {
    lanes: 64,
    async examine(path, known) {
      const isCutAnew = isPaid !== undefined && known?.hash !== undefined;
      if (!isRunning || isCutAnew) return here.examine(path, known);
      const found = await rpc.call('examine', { path, known }).catch(() => undefined);
      return found === undefined || isPartlyPaid(found, isPaid) ? here.examine(path, known) : found;
    },
    async close() {
      await worker.terminate();
    },
  };
}

/** Whether some of a file's texts were embedded before, and some not: it is cut so that more are (chunker/reuse.ts). */
function isPartlyPaid(found: Finding, isPaid: IsPaid | undefined): boolean {
  if (isPaid === undefined || typeof found !== 'object' || typeof found.content !== 'object') return false;
  const { chunks } = found.content;
  const paid = chunks.filter(({ text }) => isPaid(textHash(text))).length;
  return paid > 0 && paid < chunks.length;
}

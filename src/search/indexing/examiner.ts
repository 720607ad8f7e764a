import { fork, type Serializable } from 'node:child_process';
import { join } from 'node:path';
import { ServiceError } from '../../base/errors.ts';
import { nextTurn } from '../../base/nextTurn.ts';
import { createRpc, type Methods, type Port } from '../../base/rpc.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import type { Scope } from '../../workspace/fileFilter.ts';
import { createFilter } from '../../workspace/fileFilter.ts';
import { examineFile, type FileRecord, type PartlyLeftOut } from '../../workspace/fileList.ts';
import { type Chunk, chunkFile, linesToCover, type Reuse, textHash } from '../chunker/chunker.ts';
import type { FileChange } from '../store/files/fileWriter.ts';

/** Rules for the files of a root, apart from their content. Goes between processes. */
export interface ExaminerData {
  root: string;
  scope: Scope;
  /** Paths that `.gitattributes` marks as generated or not. */
  generated: ReadonlyMap<string, boolean>;
  /** The last scan used the same rules: a file whose stamp is unchanged is not read again. */
  trusted: boolean;
  /** The last scan used the same chunker version. */
  sameChunker: boolean;
  /** The last scan used the same version of the names. */
  sameNames: boolean;
}

export type Finding = FileChange | 'unchanged' | 'missing';

/** Examines files one by one: whether they belong in the index, and in which chunks. */
export interface Examiner {
  /** Number of files to examine concurrently. */
  readonly lanes: number;
  /** @param known the record of the last scan */
  examine(path: string, known: FileRecord | undefined): Promise<Finding>;
  close(): Promise<void>;
}

export interface ExaminerMethods extends Methods {
  start: { params: ExaminerData; result: undefined };
  examine: { params: { path: string; known: FileRecord | undefined }; result: Finding };
}

/** Whether a text of this SHA-256 has a vector. */
export type HasVector = Reuse['hasVector'];

/** Whether a file of the index has a chunk with a text of this SHA-256. */
export type HasChunk = (path: string, hash: Uint8Array) => boolean;

/**
 * Cuts one file in each turn of this thread's event loop. After a branch switch, a hundred files that were read at the same time would
 * otherwise be cut one after the other, for seconds, before a question is looked at.
 */
const cutting = createTaskQueue();

/**
 * @param hasVector undefined while there are no vectors at all
 * @param hasChunk keeps the chunks of a file that is read only for its names
 */
export function createExaminer(data: ExaminerData, hasVector?: HasVector, hasChunk?: HasChunk): Examiner {
  const filter = createFilter(data.root, data.scope, data.generated);
  return {
    lanes: 8,
    async examine(path, known) {
      const examined = await examineFile(filter, path, data.trusted ? known : undefined);
      switch (examined.kind) {
        case 'text': {
          const { stamp, text, hash, secret } = examined;
          const isSame = data.sameChunker && known?.hash === hash;
          if (isSame && data.sameNames) return { path, stamp, content: undefined };
          // Only the names are new: the file keeps its borders, whichever of its texts have vectors by now.
          const isKept = isSame && hasChunk !== undefined;
          const test = isKept ? (text: Uint8Array) => hasChunk(path, text) : hasVector;
          const reuse = test && { hasVector: test, isKnown: known?.hash !== undefined };
          const all = await cutting(async () => {
            await nextTurn();
            return chunkFile(path, text, reuse);
          });
          const chunks = withoutSecret(all, secret);
          // Where a secret is left out, the cut may come out otherwise: then the names stay, too, and nothing is sent.
          const isMoved = isKept && chunks.some((chunk) => !hasChunk(path, textHash(chunk.text)));
          if (isMoved) return { path, stamp, content: undefined };
          // A short file is one chunk.
          if (secret !== undefined && chunks.length === 0) return { path, stamp, content: secret.exclusion.reason };
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

/** The chunks of a file that have none of the lines that are left out. */
export function withoutSecret(chunks: readonly Chunk[], secret: PartlyLeftOut | undefined): Chunk[] {
  const isOut = ({ startLine, endLine }: Chunk): boolean =>
    secret?.lines.some(({ first, last }) => first <= endLine && last >= startLine) ?? false;
  return chunks.filter((chunk) => !isOut(chunk));
}

/** Tells the bundle of the search that it is started as the process that examines files. */
export const examinerArgument = '--examine-files';
/** The bundle that this code is in, or the entry in the repository. */
const script = import.meta.dirname === undefined ? __filename : join(import.meta.dirname, 'examinerProcess.ts');
/** Young generation in megabytes, small as in the worker: most objects are short-lived. */
const youngHalf = 8;

/**
 * Examines many files in a separate process: reading and parsing takes about as long as writing to the index. A thread
 * would be as fast, but after compiling the grammars the allocator would keep hundreds of megabytes in the editor's
 * process when the thread is gone. The process does not know which texts have vectors; where that matters, and when the
 * process dies, a file is examined here.
 */
export function createExaminerProcess(
  data: ExaminerData,
  hasVector?: HasVector,
  hasChunk?: HasChunk,
  entry = script,
): Examiner & { pid?: number } {
  const here = createExaminer(data, hasVector, hasChunk);
  const child = fork(entry, [examinerArgument], {
    execArgv: [`--max-semi-space-size=${youngHalf}`],
    // The program is the editor's own, which runs as Node with this variable.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const port: Port = {
    postMessage: (message) => child.connected && child.send(message as Serializable, () => undefined),
    on: (event, listener) => child.on(event, listener),
  };
  const rpc = createRpc<ExaminerMethods>(port, {});
  let isRunning = true;
  let isClosed = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      isRunning = false;
      rpc.fail(new Error('The process ended.'));
      resolve();
    };
    child.on('error', end).on('exit', end);
  });
  void rpc.call('start', data).catch(() => undefined);

  return {
    lanes: 64,
    ...(child.pid === undefined ? {} : { pid: child.pid }),
    async examine(path, known) {
      const isCutAnew = (hasVector ?? hasChunk) !== undefined && known?.hash !== undefined;
      if (!isRunning || isCutAnew) return here.examine(path, known);
      const found = await rpc.call('examine', { path, known }).catch(() => undefined);
      // The process was ended on purpose, and nobody waits for its answer.
      if (isClosed) throw new ServiceError('cancelled');
      return found === undefined || isPartlyEmbedded(found, hasVector) ? here.examine(path, known) : found;
    },
    async close() {
      isClosed = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Number of processes: one takes about half as long again as the writing of what it finds, so that two keep up with the worker
 * that writes, on two processors as on more.
 */
const processes = 2;

/** Examines many files in some separate processes, each in the one that has the least to do. */
export function createExaminerProcesses(
  data: ExaminerData,
  hasVector?: HasVector,
  hasChunk?: HasChunk,
  entry = script,
): Examiner {
  const all = Array.from({ length: processes }, () => ({
    examiner: createExaminerProcess(data, hasVector, hasChunk, entry),
    asked: 0,
  }));
  return {
    lanes: all.reduce((sum, { examiner }) => sum + examiner.lanes, 0),
    async examine(path, known) {
      const least = all.reduce((a, b) => (b.asked < a.asked ? b : a));
      least.asked++;
      return least.examiner.examine(path, known).finally(() => least.asked--);
    },
    async close() {
      await Promise.all(all.map(({ examiner }) => examiner.close()));
    },
  };
}

/** Whether some of a file's texts have vectors and some not: it is cut again so that more have (chunker/reuse.ts). */
function isPartlyEmbedded(found: Finding, hasVector: HasVector | undefined): boolean {
  if (hasVector === undefined || typeof found !== 'object' || typeof found.content !== 'object') return false;
  const { chunks } = found.content;
  const embedded = chunks.filter(({ text }) => hasVector(textHash(text))).length;
  return embedded > 0 && embedded < chunks.length;
}

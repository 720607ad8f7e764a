import { enableCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { examinerArgument } from '../indexing/examiner.ts';

/**
 * All of the search that runs outside the extension host is one bundle, as it is mostly the same code: the thread that has the index, the
 * process that examines files, and `parley-search`. What none of them needs of the others is loaded with none.
 */
async function main(): Promise<void> {
  if (!isMainThread) {
    await import('../worker/worker.ts');
    return;
  }
  if (process.send !== undefined && process.argv[2] === examinerArgument) {
    await import('../indexing/examinerProcess.ts');
    return;
  }
  // The SDK of the protocol is half a megabyte of code: compiled once, an agent's first answer comes sooner.
  enableCompileCache?.();
  const { runCommandLine } = await import('./commandLine.ts');
  process.exit(await runCommandLine(process.argv.slice(2)));
}

void main();

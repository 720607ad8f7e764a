import { enableCompileCache } from 'node:module';
import { exitCode } from './cliProblem.ts';
import { createTerminal } from './terminal/cliTerminal.ts';

/** Fires with Ctrl+C, or when the process is asked to end. The second time, it ends whatever is still open. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCode.interrupted);
      controller.abort();
    });
  }
  return controller.signal;
}

/** Resolves when all that was written is on its way: the end of the process would cut it off in a pipe. */
function written(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

async function main(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read the output has seen enough, as `head` has.
      process.exit(error.code === 'EPIPE' ? exitCode.done : exitCode.problem);
    });
  }
  // The SDK of the protocol is half a megabyte of code: compiled once, an agent's first answer comes sooner.
  enableCompileCache?.();
  const { runCommandLine } = await import('./commandLine.ts');
  const terminal = createTerminal();
  const code = await runCommandLine(process.argv.slice(2), {
    ...{ cwd: process.cwd(), environment: process.env, terminal, interrupted },
  });
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit(code);
}

void main();

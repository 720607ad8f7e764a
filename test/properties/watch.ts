import { fork } from 'node:child_process';
import { properties } from './service.ts';
import type { Work } from './worker.ts';

/** Live objects may never take more than this, in MiB: a process that wants more ends, and the property has failed. */
export const heapBound = 256;
/** A process that gives no sign of life for so long, in milliseconds, hangs. */
const silence = 60_000;

/**
 * Checks a property over many inputs in a process of its own. Gives what went wrong: an input that fails, a hang, or
 * memory beyond the bound.
 */
export function watch(work: Work, onProgress: (done: number) => void = () => {}): Promise<string | undefined> {
  const child = fork(`${import.meta.dirname}/worker.ts`, [JSON.stringify(work)], {
    execArgv: [`--max-old-space-size=${heapBound}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { cases } = properties[work.name] ?? {};
  return new Promise((resolve) => {
    let done = 0;
    const where = () => `seed ${work.seed + done} ${cases?.[(work.seed + done) % cases.length] ?? ''}`;
    let said = '';
    let failure: string | undefined;
    const fail = (words: string) => {
      failure ??= `${work.name}: after ${done} inputs: ${words}`;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => fail(`hangs, ${where()}`), silence);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('message', (message: { done?: number; failure?: string }) => {
      if (message.failure !== undefined) return fail(message.failure);
      done = message.done ?? done;
      timer.refresh();
      onProgress(done);
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (done < work.runs) fail(`ended with code ${code}, ${where()}: ${said.slice(0, 1_000)}`);
      resolve(failure);
    });
  });
}

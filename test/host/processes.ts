import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** What ends when this process exits: processes, and process groups as negative ids. */
const alive = new Set<number>();
process.on('exit', () => {
  for (const id of alive) signal(id, id < 0 ? 'SIGKILL' : 'SIGTERM');
});

/** Starts a program in a process group of its own, which does not outlive us. End it with `stopProcessGroup`. */
export function startProcessGroup(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(command, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) alive.add(-child.pid);
  return child;
}

export interface Finished {
  readonly code: number;
  /** Standard output and standard error in the order they came. */
  readonly output: string;
}

/** Runs a program to its end without a terminal. A program that cannot be started gives code 127, as a shell would. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; onOutput?: (text: string) => void } = {},
): Promise<Finished> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid !== undefined) alive.add(pid);
  let output = '';
  const collect = (chunk: string) => {
    output += chunk;
    options.onOutput?.(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code) => {
      if (pid !== undefined) alive.delete(pid);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Gives text that comes in any pieces line by line. */
export function byLine(take: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

/** As `run`, but a failure throws with what the program said last. */
export async function mustRun(command: string, args: readonly string[], options: Parameters<typeof run>[2] = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0)
    throw new Error(`\`${command} ${args.join(' ')}\` ended with ${code}:\n${output.trim().slice(-2000)}`);
  return output;
}

/** Ends a process group and waits for it: asks first, insists after three seconds. */
export async function stopProcessGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const group = -child.pid;
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    signal(group, 'SIGTERM');
    const insist = setTimeout(() => signal(group, 'SIGKILL'), 3000);
    await gone;
    clearTimeout(insist);
  }
  // Children that the process left behind.
  signal(group, 'SIGKILL');
  alive.delete(group);
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // It has ended already.
  }
}

/** A TCP port on the loopback address that was free a moment ago: the preferred one if it is. */
export async function findFreePort(preferred = 0): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number | undefined>((resolve) => {
    probe.on('error', () => resolve(undefined));
    probe.listen(preferred, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port));
  });
  probe.close();
  if (port !== undefined) return port;
  if (preferred === 0) throw new Error('No free port could be found.');
  return findFreePort();
}

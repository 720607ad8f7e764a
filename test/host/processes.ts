import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

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
  let output = '';
  const collect = (chunk: string) => {
    output += chunk;
    options.onOutput?.(chunk);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** As `run`, but a failure throws with what the program said last. */
export async function mustRun(command: string, args: readonly string[], options: Parameters<typeof run>[2] = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0)
    throw new Error(`\`${command} ${args.join(' ')}\` ended with ${code}:\n${output.trim().slice(-2000)}`);
  return output;
}

/** Ends a process that was spawned `detached`, and all it started: asks first, insists after three seconds. */
export async function stopProcessGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const group = -child.pid;
  const gone = once(child, 'exit');
  signalGroup(group, 'SIGTERM');
  const insist = setTimeout(() => signalGroup(group, 'SIGKILL'), 3000);
  await gone;
  clearTimeout(insist);
  signalGroup(group, 'SIGKILL');
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal);
  } catch {
    // Nobody of the group is left.
  }
}

/** A TCP port on the loopback address that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('No free port could be found.');
  return address.port;
}

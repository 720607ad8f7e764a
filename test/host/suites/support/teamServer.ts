/** A PostgreSQL that runs beside VS Code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { extensionPath } from './subject.ts';

export interface TeamServer {
  readonly address: string;
  readonly port: number;
  readonly password: string;
  stop(): Promise<void>;
}

export async function startTeamServer(): Promise<TeamServer> {
  const path = (name: string): string => join(extensionPath(), 'test', 'host', name);
  const child = spawn('node', [path('bootstrap.mjs'), join('test', 'host', 'postgresForSuite.ts')], {
    cwd: extensionPath(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    gone.then(() => Promise.reject(new Error('The PostgreSQL did not start.'))),
  ])) as [string];
  return {
    ...(JSON.parse(line) as Omit<TeamServer, 'stop'>),
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}

/** Runs `parley-search` as a process of its own, from its sources or from an installed package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ReferenceService } from '../service/options.ts';
import { temporaryFolder } from '../support/searchFolder.ts';
import { testKey } from './client.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const sources = [join(import.meta.dirname, '../../src/search/cli/main.ts')];

/** A machine of its own: a folder of code, a data folder, and the command line. */
export interface CommandLine {
  readonly root: string;
  readonly data: string;
  /** Runs a command in the folder of code. */
  run(args: readonly string[], more?: RunOptions): Promise<Ended>;
  /** The same, and what it wrote as JSON. */
  json(args: readonly string[], more?: RunOptions): Promise<{ code: number | null; value: Record<string, unknown> }>;
}

interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The user that the command runs as. */
  uid?: number | undefined;
  onStart?: (child: ChildProcess) => void;
}

/** @param files so many files of code, each about a thing of its own. @param program what Node runs */
export function commandLine(t: TestContext, files = 3, program: readonly string[] = sources): CommandLine {
  const [root, data] = [join(temporaryFolder(t), 'code'), temporaryFolder(t)];
  mkdirSync(root);
  for (let at = 0; at < files; at++) {
    writeFileSync(join(root, `f${at}.ts`), `// topic${at}\nexport function ship${at}() {\n  return ${at};\n}\n`);
  }
  const { PARLEY_API_KEY: _, ...environment } = process.env;
  async function run(args: readonly string[], { cwd = root, env, uid, onStart }: RunOptions = {}): Promise<Ended> {
    const child = spawn(process.execPath, [...program, ...args], {
      cwd,
      env: { ...environment, PARLEY_DATA_DIR: data, LC_ALL: 'C', ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      stdout += piece;
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    onStart?.(child);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, stdout, stderr };
  }
  return {
    root,
    data,
    run,
    async json(args, more) {
      const { code, stdout, stderr } = await run([...args, '--json'], more);
      if (stdout === '') throw new Error(`Nothing came: ${stderr}`);
      return { code, value: JSON.parse(stdout) as Record<string, unknown> };
    },
  };
}

export const withKey = { env: { PARLEY_API_KEY: testKey } };

/** The arguments that name the reference service. */
export const serviceArgs = ({ baseUrl }: ReferenceService): string[] => ['--url', baseUrl, '--model', 'parley-embed'];

/** The texts that the service was sent, in answered requests. */
export function textsSentTo(service: ReferenceService, from = 0): string[] {
  return service.requests
    .slice(from)
    .filter(({ status }) => status === 200)
    .flatMap(({ body }) => (body as { input: string[] }).input);
}

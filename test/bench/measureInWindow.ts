import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSuites, runWindow } from '../host/run.ts';
import type { WindowName } from '../host/windows.ts';

/** Runs a suite that measures in a real VS Code, and gives the figures that it wrote, also where some could not be measured. */
export async function measureInWindow(window: WindowName): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const path = join(folder, 'figures.json');
  try {
    await buildSuites();
    const { failed } = await runWindow({ window, env: { PARLEY_TEST_FIGURES: path } });
    const written = await readFile(path, 'utf8').catch(() => undefined);
    if (written === undefined) throw new Error(`The window ${window} could not be measured.`);
    if (failed > 0) process.exitCode = 1;
    return JSON.parse(written) as Record<string, number>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

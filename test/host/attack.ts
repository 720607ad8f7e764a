/**
 * Opens a hostile workspace in a real VS Code, trusted and not, and runs its suite there; then the suite of what tries to be more
 * than text. `npm run attack` calls it, with a large workspace. With `--window=NAME`, as `npm test` calls it, it opens that one of
 * the two windows alone, of what is built.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createHostileWorkspace } from '../attack/hostileWorkspace.ts';
import { sized } from '../attack/size.ts';
import { buildSuites, type Counts, runWindow } from './run.ts';
import { hostileWindows } from './windows.ts';

type HostileWindow = (typeof hostileWindows)[number];

// VS Code's own git, and its search for what git names, would run the programs of the repository.
const machineSettings = { 'git.enabled': false, 'files.watcherExclude': { '**': true } };

async function runHostile(window: HostileWindow): Promise<Counts> {
  const place = await mkdtemp(join(tmpdir(), 'parley-hostile-'));
  const hostile = await createHostileWorkspace(place, sized(50_000, 1_000));
  const stopDisturbing = hostile.disturb();
  try {
    const told = { forbidden: hostile.forbidden, files: sized(50_000, 1_000) };
    const { passed, failed } = await runWindow({
      window,
      machineSettings,
      folder: hostile.roots[0],
      env: {
        PARLEY_TEST_HOSTILE: JSON.stringify(told),
        // The workspace is read in one test.
        PARLEY_TEST_TIMEOUT: '1800',
      },
    });
    const sprung = hostile.trap.sprung();
    if (sprung.length === 0) return { passed: passed + 1, failed };
    console.error(`Programs that the repository names were run: ${sprung.join(', ')}.`);
    return { passed, failed: failed + 1 };
  } finally {
    stopDisturbing();
    await hostile.close();
    await rm(place, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { window: { type: 'string' } } });
const chosen = hostileWindows.filter((name) => name === (values.window ?? name));
const counts: Counts[] = [];
if (values.window === undefined) await buildSuites();
for (const window of chosen) counts.push(await runHostile(window));
if (values.window === undefined) {
  counts.push(await runWindow({ window: 'outsideText', env: { PARLEY_TEST_SUITES: 'text/injection' } }));
}
const passed = counts.reduce((sum, each) => sum + each.passed, 0);
const failed = counts.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

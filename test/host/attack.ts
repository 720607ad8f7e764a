/** Opens a hostile workspace in a real VS Code, trusted and not, and runs its suite there. `npm run attack` calls it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHostileWorkspace } from '../attack/hostileWorkspace.ts';
import { sized } from '../attack/size.ts';
import { buildSuites, runWindow } from './run.ts';

// VS Code's own git, and its search for what git names, would run the programs of the repository.
const machineSettings = { 'git.enabled': false, 'files.watcherExclude': { '**': true } };
let passed = 0;
let failed = 0;
await buildSuites();
for (const window of ['attack', 'attackRestricted'] as const) {
  const place = await mkdtemp(join(tmpdir(), 'parley-hostile-'));
  const hostile = await createHostileWorkspace(place, sized(50_000, 1_000));
  const stopDisturbing = hostile.disturb();
  try {
    const told = { forbidden: hostile.forbidden, files: sized(50_000, 1_000) };
    const counts = await runWindow({
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
    if (sprung.length > 0) console.error(`Programs that the repository names were run: ${sprung.join(', ')}.`);
    passed += counts.passed + (sprung.length > 0 ? 0 : 1);
    failed += counts.failed + (sprung.length > 0 ? 1 : 0);
  } finally {
    stopDisturbing();
    await hostile.close();
    await rm(place, { recursive: true, force: true });
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

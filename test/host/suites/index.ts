/** What VS Code runs in its extension host: all suites, with Mocha. Each suite file is named here. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from './report.ts';
import { extensionPath } from './subject.ts';

const suites: Readonly<Record<string, () => Promise<unknown>>> = {
  'activation.test.ts': () => import('./activation.test.ts'),
  'audio.test.ts': () => import('./audio.test.ts'),
  'chat.test.ts': () => import('./chat.test.ts'),
  'commands.test.ts': () => import('./commands.test.ts'),
  'connect.test.ts': () => import('./connect.test.ts'),
  'edits.test.ts': () => import('./edits.test.ts'),
  'errors.test.ts': () => import('./errors.test.ts'),
  'network.test.ts': () => import('./network.test.ts'),
  'palette.test.ts': () => import('./palette.test.ts'),
  'search.test.ts': () => import('./search.test.ts'),
  'searchSimilar.test.ts': () => import('./searchSimilar.test.ts'),
  'searchWhy.test.ts': () => import('./searchWhy.test.ts'),
  'searchBadInput.test.ts': () => import('./searchBadInput.test.ts'),
  'searchIndexing.test.ts': () => import('./searchIndexing.test.ts'),
  'searchResults.test.ts': () => import('./searchResults.test.ts'),
  'selection.test.ts': () => import('./selection.test.ts'),
  'hostile.test.ts': () => import('./hostile.test.ts'),
  // Last: once VS Code has asked for models, it asks again whenever the connection changes.
  'models.test.ts': () => import('./models.test.ts'),
  'modelGroups.test.ts': () => import('./modelGroups.test.ts'),
  'modelTools.test.ts': () => import('./modelTools.test.ts'),
};

/** What runs in a folder that is not trusted, in a window of its own. */
const restrictedSuites: typeof suites = {
  'restricted.test.ts': () => import('./restricted.test.ts'),
  'modelsRestricted.test.ts': () => import('./modelsRestricted.test.ts'),
};

/** What also runs in a window that a workspace file opened. */
const workspaceFileSuites: typeof suites = {
  'hostile.test.ts': () => import('./hostile.test.ts'),
};

/** Which suites the window that shows this extension host is for. */
function wantedSuites(): typeof suites {
  if (process.env.PARLEY_TEST_RESTRICTED === '1') return restrictedSuites;
  return process.env.PARLEY_TEST_WORKSPACE_FILE === '1' ? workspaceFileSuites : suites;
}

/** Runs every suite; throws when a test failed, which makes VS Code exit with 1. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  // Mocha asks of a reporter no more than that it can be made from a runner; its types ask for the whole base class.
  const reporter = Report as unknown as Mocha.ReporterConstructor;
  // Only the tests whose names hold this text, while one is being written.
  const grep = process.env.PARLEY_TEST_GREP;
  if (!grep) failOnForgottenSuites();
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter, ...(grep ? { grep } : {}) });
  // Puts `describe` and `it` on the global object, as loading a file by name would.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const load of Object.values(wantedSuites())) await load();
  const { passed, failed } = await new Promise<{ passed: number; failed: number }>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      // A test that is skipped proves nothing, so it counts as failed.
      resolve({ passed: passes, failed: failures + pending });
    });
  });
  const counts = process.env.PARLEY_TEST_COUNTS;
  if (counts !== undefined) writeFileSync(counts, JSON.stringify({ passed, failed }));
  if (failed > 0) throw new Error(`${failed} of ${passed + failed} tests failed.`);
}

function failOnForgottenSuites(): void {
  const written = readdirSync(join(extensionPath(), 'test', 'host', 'suites')).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const forgotten = written.filter((name) => !(name in suites) && !(name in restrictedSuites));
  if (forgotten.length > 0) throw new Error(`suites/index.ts does not name ${forgotten.join(', ')}.`);
}

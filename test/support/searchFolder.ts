import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of its own for a test, removed when the test is over. */
export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-search-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The folder is the home of this process until the test is over. */
export function asHome(t: TestContext, folder: string): void {
  const before = { HOME: process.env['HOME'], USERPROFILE: process.env['USERPROFILE'] };
  Object.assign(process.env, { HOME: folder, USERPROFILE: folder });
  t.after(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

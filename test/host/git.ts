import { installAsRoot } from './debian.ts';
import { run } from './processes.ts';
import { withProgress } from './progress.ts';

/** The tests of the file walk ask git itself, so it has to be there; Parley does without. Throws one sentence otherwise. */
export async function ensureGit(): Promise<void> {
  if (await hasGit()) return;
  await withProgress('Installing git', () => installAsRoot(['git']));
  if (!(await hasGit())) throw new Error('The tests need git: run `apt-get install git` as root.');
}

async function hasGit(): Promise<boolean> {
  return (await run('git', ['--version'])).code === 0;
}

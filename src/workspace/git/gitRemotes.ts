import { runGit } from './gitRun.ts';

/** The addresses of a repository's remotes by their names, in the order of its settings; none outside of a repository. */
export async function gitRemotes(root: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const remotes = new Map<string, string>();
  await runGit(root, ['config', '--local', '-z', '--get-regexp', '^remote\\..*\\.url$'], signal, (entry) => {
    const [, name, address] = /^remote\.(.*)\.url\n(.*)$/is.exec(entry) ?? [];
    if (name !== undefined && address !== undefined && !remotes.has(name)) remotes.set(name, address);
  });
  return remotes;
}

/** The path of a folder within its repository, with `/`; empty for the repository itself, and outside of one. */
export async function pathInRepository(root: string, signal: AbortSignal): Promise<string> {
  let within = '';
  await runGit(root, ['rev-parse', '--show-prefix'], signal, (text) => {
    within = text.replace(/\/?\n?$/, '');
  });
  return within;
}

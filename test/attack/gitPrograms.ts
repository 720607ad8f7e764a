/** A repository that names a program wherever git would run one: the program writes a line into a file, and fails. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const hooks = ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman'];
const aliases = ['ls-files', 'diff', 'diff-index', 'rev-parse', 'check-attr', 'check-ignore', 'st'];

/** Git without the settings of the machine, with an author. */
export function git(cwd: string, ...args: string[]): string {
  const settings = ['user.name=t', 'user.email=t@t', 'advice.addEmbeddedRepo=false', 'protocol.file.allow=always'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return execFileSync('git', [...options, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export interface Trap {
  /** The ways by which the program was run, since the last look. */
  sprung(): string[];
  /** Writes the settings into a repository. */
  set(repository: string): void;
}

/** @param folder where the program and its notes are, outside the repository */
export function createTrap(folder: string): Trap {
  const program = join(folder, 'program.sh');
  const notes = join(folder, 'notes');
  writeFileSync(program, `#!/bin/sh\necho "$1" >> '${notes}'\nexit 1\n`);
  chmodSync(program, 0o755);
  let seen = 0;
  const run = (way: string): string => `'${program}' ${way}`;
  const settings = (): string => {
    const sections: Record<string, Record<string, string>> = {
      core: {
        fsmonitor: run('fsmonitor'),
        hooksPath: join(folder, 'hooks'),
        pager: run('pager'),
        editor: run('editor'),
        askPass: program,
        sshCommand: run('ssh'),
        gitProxy: program,
        alternateRefsCommand: run('alternates'),
        untrackedCache: 'true',
      },
      'filter "trap"': { clean: run('clean'), smudge: run('smudge'), process: run('process'), required: 'true' },
      'diff "trap"': { command: run('diff-driver'), textconv: run('textconv') },
      'merge "trap"': { driver: run('merge') },
      diff: { external: run('external-diff') },
      pager: Object.fromEntries(aliases.filter((name) => !name.includes('-')).map((name) => [name, run('pager')])),
      alias: Object.fromEntries(aliases.map((name) => [name, `!${run('alias')}`])),
      credential: { helper: `!${run('credential')}` },
      gpg: { program: program },
      'gpg "openpgp"': { program: program },
      'gpg "x509"': { program: program },
      'gpg "ssh"': { program: program, defaultKeyCommand: run('ssh-key') },
      log: { showSignature: 'true' },
      'submodule "inner"': { update: `!${run('submodule')}`, url: `ext::${program} submodule-url` },
      submodule: { recurse: 'true' },
      'remote "origin"': {
        url: `ext::${program} remote`,
        promisor: 'true',
        partialclonefilter: 'blob:none',
        uploadpack: run('uploadpack'),
      },
      protocol: { allow: 'always' },
      'protocol "ext"': { allow: 'always' },
      extensions: { partialClone: 'origin' },
      uploadpack: { packObjectsHook: run('pack-objects') },
    };
    const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    return Object.entries(sections)
      .map(
        ([name, values]) =>
          `[${name}]\n${Object.entries(values)
            .map(([key, value]) => `\t${key} = ${quoted(value)}\n`)
            .join('')}`,
      )
      .join('');
  };
  mkdirSync(join(folder, 'hooks'));
  for (const hook of hooks) {
    writeFileSync(join(folder, 'hooks', hook), `#!/bin/sh\nexec ${run(`hook-${hook}`)}\n`);
    chmodSync(join(folder, 'hooks', hook), 0o755);
  }
  writeFileSync(join(folder, 'config'), settings());

  return {
    sprung() {
      const all = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : [];
      const fresh = all.slice(seen);
      seen = all.length;
      return [...new Set(fresh)].sort();
    },
    set(repository) {
      // Half of it by a file that it includes, as a repository may.
      appendFileSync(
        join(repository, '.git/config'),
        `[core]\n\trepositoryformatversion = 1\n[include]\n\tpath = ${join(folder, 'config')}\n`,
      );
      appendFileSync(join(repository, '.git/config'), settings());
      writeFileSync(join(repository, '.git/info/attributes'), '* filter=trap diff=trap merge=trap\n');
      writeFileSync(join(repository, '.gitattributes'), '* filter=trap diff=trap merge=trap\n');
    },
  };
}

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addressName, repositoryName } from '../../../../src/search/team/repositoryName.ts';
import { mustRun } from '../../../host/processes.ts';
import { temporaryFolder } from '../../../support/searchFolder.ts';

const calm = new AbortController().signal;

test('all ways to write the address of a repository give it one name', () => {
  // The forms that git-clone(1) lists under "GIT URLS", and what hosts show to copy.
  const same = [
    'git@example.com:team/app.git',
    'example.com:team/app',
    'git@example.com:/team/app.git',
    'ssh://git@example.com/team/app.git',
    'ssh://git@example.com:2222/team/app.git',
    'ssh://example.com:/team/app',
    'git+ssh://git@example.com/team/app',
    'git://example.com/team/app.git',
    'http://example.com/team/app',
    'https://example.com/team/app/',
    'https://example.com/team/app.git/',
    'https://EXAMPLE.com:8443/team/app.GIT',
    'HTTPS://example.com//team//app',
    'https://anna@example.com/team/app.git',
    'https://anna:word@example.com/team/app.git',
    'https://anna:p@ss@example.com/team/app.git',
    'https://example.com/team/app?tab=readme#top',
    '  https://example.com/team/app.git\n',
  ];
  for (const address of same) assert.equal(addressName(address), 'example.com/team/app', address);
});

test('an address keeps what tells repositories apart', () => {
  const names: [string, string][] = [
    ['https://example.com/Team/App', 'example.com/Team/App'],
    ['https://example.com/group/sub/app.git', 'example.com/group/sub/app'],
    ['git@example.com:app.git', 'example.com/app'],
    ['git@example.com:~anna/app', 'example.com/~anna/app'],
    ['git@example.com:team/app.git.old', 'example.com/team/app.git.old'],
    ['git@example.com:team/c#', 'example.com/team/c#'],
    ['ssh://git@[2001:DB8::1]:2222/team/app.git', '[2001:db8::1]/team/app'],
    ['git@[2001:db8::1]:team/app.git', '[2001:db8::1]/team/app'],
    ['work:team/app', 'work/team/app'],
    ['https://dev.example.com/org/project/_git/app', 'dev.example.com/org/project/_git/app'],
  ];
  for (const [address, name] of names) assert.equal(addressName(address), name, address);
});

test('what is on this machine, or is no address, names nothing elsewhere', () => {
  const none = [
    '',
    '.',
    '../app',
    '/srv/git/app.git',
    './odd:name/app',
    'file:///srv/git/app.git',
    'C:\\code\\app',
    'c:/code/app',
    '\\\\server\\share:x\\app',
    'https://example.com',
    'https://example.com/',
    'https://example.com/.git',
    'ext::sh -c run% %S',
    'codecommit::us-east-1://app',
    'git@example.com:',
    'git@example.com:a\0b',
  ];
  for (const address of none) assert.equal(addressName(address), undefined, address);
});

async function repository(t: TestContext, remotes: Record<string, string>): Promise<string> {
  const root = join(temporaryFolder(t), 'folder');
  mkdirSync(join(root, 'packages', 'web'), { recursive: true });
  const git = (...args: string[]) => mustRun('git', ['-C', root, ...args], {});
  await git('init', '-q');
  for (const [name, address] of Object.entries(remotes)) await git('remote', 'add', name, address);
  return root;
}

test('a fork has the name of what it is a fork of, and a folder within its path behind it', async (t) => {
  const [mine, theirs] = ['git@example.com:me/app.git', 'https://example.com/team/app'];
  const fork = await repository(t, { origin: mine, upstream: theirs });
  assert.equal(await repositoryName(fork, calm), 'example.com/team/app');
  assert.equal(await repositoryName(join(fork, 'packages', 'web'), calm), 'example.com/team/app/packages/web');
  const other = await repository(t, { backup: theirs, origin: mine });
  assert.equal(await repositoryName(other, calm), 'example.com/me/app');
  assert.equal(await repositoryName(await repository(t, { backup: theirs }), calm), 'example.com/team/app');
});

test('a remote that is a folder names nothing, and another one does; without any, the folder has its own name', async (t) => {
  const both = await repository(t, { upstream: '/srv/app.git', origin: 'git@example.com:team/app.git' });
  assert.equal(await repositoryName(both, calm), 'example.com/team/app');
  assert.equal(await repositoryName(await repository(t, { origin: '/srv/app.git' }), calm), 'folder');
  assert.equal(await repositoryName(await repository(t, {}), calm), 'folder');
  const plain = join(temporaryFolder(t), 'plain');
  mkdirSync(plain);
  assert.equal(await repositoryName(plain, calm), 'plain');
});

import { basename } from 'node:path';
import { gitRemotes, pathInRepository } from '../../workspace/git/gitRemotes.ts';

/** The longest name, in UTF-16 units. */
const longest = 500;

/**
 * What names the repository of a folder on all machines: the address of its remote, as `host/owner/name`, `upstream` before `origin`
 * before others, as a fork shares what the repository has that it is of. Without a remote, the name of the folder. A folder within a
 * repository has its own path behind it.
 * @param root absolute path
 */
export async function repositoryName(root: string, signal: AbortSignal): Promise<string> {
  const remotes = await gitRemotes(root, signal);
  const within = await pathInRepository(root, signal);
  const addresses = [remotes.get('upstream'), remotes.get('origin'), ...remotes.values()];
  // One remote may be a folder of this machine, which names nothing elsewhere.
  const named = addresses.map((address) => address && addressName(address)).find(Boolean);
  const name = named === undefined ? basename(root) || 'workspace' : [named, within].filter(Boolean).join('/');
  return name.slice(0, longest);
}

/**
 * The address of a remote without its scheme, user, password, port and `.git`: `git@example.com:team/app.git` and
 * `https://example.com/team/app` are one repository. Undefined for a folder of this machine, and for what is no address.
 */
export function addressName(address: string): string | undefined {
  const text = address.trim();
  const [, host, path] = full.exec(text) ?? short.exec(text) ?? [];
  const clean = path
    ?.replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '')
    .replace(/\.git$/i, '');
  if (host === undefined || !clean || clean.includes('\0')) return undefined;
  return `${host.toLowerCase()}/${clean}`;
}

/** With a scheme. The last `@` before the path ends the password, which may have one itself. */
const full = /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/(?:[^/?#]*@)?(\[[^\]/]+\]|[^:/?#@]+)(?::\d*)?\/([^?#]+)/i;
/** As `scp` has it, `user@host:path`. A letter alone is a disk of Windows, and what has `::` is a program that git runs. */
const short = /^(?:[^@/\s]+@)?(\[[^\]/@]+\]|[^@:/\\\s[\]]{2,}):(?!\/\/|:)(.+)$/;

import { run } from './processes.ts';

/** Installs packages of Debian as root, or by `sudo` where it asks for no password; tells whether that went well. */
export async function installAsRoot(packages: readonly string[]): Promise<boolean> {
  const prefix =
    process.getuid?.() === 0 ? ['env'] : (await run('sudo', ['-n', 'true'])).code === 0 ? ['sudo', '-n'] : undefined;
  if (prefix === undefined) return false;
  const [command = 'env', ...rest] = [...prefix, 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  await run(command, [...rest, 'update']);
  const { code } = await run(command, [...rest, 'install', '-y', '--no-install-recommends', ...packages]);
  return code === 0;
}

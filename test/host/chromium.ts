/** Finds a Chromium, or installs Debian's: as root, by `sudo` where it asks for no password, or without root. */
import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { installAsRoot, unpackPackages } from './debian.ts';
import { hostCache } from './paths.ts';
import { mustRun, run } from './processes.ts';
import { withProgress } from './progress.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const packages = ['chromium', 'fonts-liberation'];
/** Where a Chromium that was installed without root stands, and the script that starts it. */
const unpacked = join(hostCache, 'chromium');
const wrapper = join(unpacked, 'run');
const byHand = `run \`apt-get install ${packages.join(' ')}\` as root, or set PARLEY_CHROMIUM to the path of a Chromium`;

/** Gives the path of a Chromium; `PARLEY_CHROMIUM` names one outside the PATH. Throws one sentence when there is no way. */
export async function findOrInstallChromium(): Promise<string> {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) {
    if (!isExecutable(named)) throw new Error(`PARLEY_CHROMIUM names ${named}, which cannot be run.`);
    return named;
  }
  const found = findOnPath() ?? (isExecutable(wrapper) ? wrapper : undefined);
  return found ?? (await withProgress('Installing Chromium', install));
}

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function install(): Promise<string> {
  if ((await run('apt-get', ['--version'])).code !== 0)
    throw new Error(`There is no Chromium and no apt-get: ${byHand}.`);
  const installed = (await installAsRoot(packages)) ? findOnPath() : undefined;
  return installed ?? (await installUnpacked());
}

/** Downloads the packages that are missing and unpacks them into the cache; a wrapper lets Chromium find them there. */
async function installUnpacked(): Promise<string> {
  await mkdir(hostCache, { recursive: true });
  const temporary = await mkdtemp(join(hostCache, 'installing-'));
  try {
    await unpackPackages(packages, join(temporary, 'root'));
    await writeFile(join(temporary, 'fonts.conf'), fontSettings);
    await writeFile(join(temporary, 'run'), wrapperScript);
    await chmod(join(temporary, 'run'), 0o755);
    await mustRun(join(temporary, 'run'), ['--version']);
    await rm(unpacked, { recursive: true, force: true });
    await rename(temporary, unpacked);
    return wrapper;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Chromium could not be installed without root: ${byHand}.\n${reason}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The unpacked libraries stand before the system's. */
const wrapperScript = `#!/bin/sh
home=$(dirname "$(readlink -f "$0")")
root=$home/root
arch=$(ls "$root/usr/lib" | grep -m1 -e '-linux-gnu')
export LD_LIBRARY_PATH="$root/usr/lib/$arch:$root/lib/$arch:$root/usr/lib/$arch/pulseaudio\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$home/fonts.conf"
exec "$root/usr/lib/chromium/chromium" "$@"
`;

/** The unpacked fonts beside the system's. Debian's own settings are links that only a real installation makes. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${unpacked}/root/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${unpacked}/font-cache</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  ${['sans-serif Sans', 'system-ui Sans', 'serif Serif', 'monospace Mono'].map(preferLiberation).join('\n  ')}
  <match><edit name="family" mode="append_last"><string>Liberation Sans</string></edit></match>
</fontconfig>
`;

function preferLiberation(pair: string): string {
  const [family, font] = pair.split(' ');
  return `<alias><family>${family}</family><prefer><family>Liberation ${font}</family></prefer></alias>`;
}

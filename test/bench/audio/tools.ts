import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The programs that make the recordings of this bench, and that Parley is held against; each is a package of Debian. */
const programs = ['ffmpeg', 'sox', 'espeak-ng'] as const;

/** Fails, in one sentence, where a program is not installed. */
export function needPrograms(): void {
  const missing = programs.filter((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  if (missing.length > 0) {
    throw new Error(`This bench needs ${missing.join(', ')}: apt-get install -y ${missing.join(' ')}`);
  }
}

export async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
}

export async function sox(...args: string[]): Promise<void> {
  await run('sox', args);
}

export async function speak(path: string, voice: string, speed: number, text: string): Promise<void> {
  await run('espeak-ng', ['-v', voice, '-s', String(speed), '-w', path, text]);
}

/** Length of the sound of a file in seconds, as ffmpeg hears it when it decodes it. */
export async function decodedSeconds(path: string): Promise<number> {
  const rate = 8_000;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a:0', '-f', 'u8', '-ac', '1', '-ar', String(rate), '-'],
    { encoding: 'buffer', maxBuffer: 2 ** 30 },
  );
  return stdout.length / rate;
}

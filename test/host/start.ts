/**
 * `npm start`: VS Code with Parley on a sample workspace, for a person to open in a browser. `--tour` drives it in a
 * headless browser instead, `--tour --short` through its first steps, `--tour --requests` through those about requests.
 */
import { join } from 'node:path';
import { startDemo } from './demo.ts';
import { hostCache } from './paths.ts';
import { runTour, type TourLength } from './tour/tour.ts';

/** A pause between two tokens of the reference service: it writes as fast as a quick service does. */
const tokenDelayMs = 12;

let stop: () => Promise<void> = async () => {};
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  if (process.argv.includes('--tour')) {
    const onStart = (stopTour: typeof stop): void => {
      stop = stopTour;
    };
    await runTour(onStart, tourLength());
    await end(0);
  }
  const demo = await startDemo({ home: join(hostCache, 'start'), connected: true, tokenDelayMs });
  stop = demo.stop;
  console.log(`\nParley is connected to ${demo.service.name} at ${demo.service.baseUrl}.`);
  console.log(`Open ${demo.server.url(demo.workspace)}`);
  console.log('Ctrl-C stops it.');
} catch (error) {
  if (!stopping) console.error(error instanceof Error ? error.message : String(error));
  await end(1);
}

function tourLength(): TourLength {
  if (process.argv.includes('--short')) return 'short';
  return process.argv.includes('--requests') ? 'requests' : 'whole';
}

async function end(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await stop();
  // What is only half started ends with this process; see `processes.ts`.
  process.exit(code);
}

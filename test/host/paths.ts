import { dirname, join, resolve } from 'node:path';

/** The root of the repository. */
export const root: string = dirname(dirname(import.meta.dirname));

/** What set-up installs and `npm start` keeps; git-ignored. `PARLEY_HOST_CACHE` moves it, so that clones can share one. */
export const hostCache: string = resolve(process.env.PARLEY_HOST_CACHE || join(root, '.host'));

/** What a run leaves to look at: logs, screenshots, the VSIX; git-ignored. `PARLEY_OUT` moves it, so that two runs do not meet. */
export const out: string = resolve(process.env.PARLEY_OUT || join(root, 'out'));

/** Where a failure leaves the picture and the log of the window it happened in. */
export const failures: string = join(out, 'failures');
export const failuresOf = (window = ''): string => join(failures, window);

/** The names of tests that failed and then passed in a fresh window, one a line. */
export const flakyFile: string = join(out, 'flaky.txt');

/** `npm run test:unit -- NAME`, `test:contract`, `test:ui`: the tests of one kind, or the files of them with a text in their path. */

import { root } from './host/paths.ts';
import { mustRun } from './host/processes.ts';
import { setUpHost } from './host/setup.ts';
import { keepTemporaryFilesInMemory } from './host/temporary.ts';
import { nodeTests } from './nodeTests.ts';

const [kind = '', text = ''] = process.argv.slice(2);
if (!['unit', 'contract', 'ui'].includes(kind)) throw new Error(`There are no tests of the kind “${kind}”.`);
keepTemporaryFilesInMemory();
if (kind === 'ui') {
  process.env.PARLEY_CHROMIUM = (await setUpHost()).chromium;
  await mustRun(process.execPath, ['esbuild.mjs'], { cwd: root });
}
const { passed, failed, output } = await nodeTests(`test/${kind}`, process.env, text);
if (output !== '') console.log(output);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

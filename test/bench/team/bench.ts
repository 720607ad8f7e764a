import { execFileSync } from 'node:child_process';
import { root } from '../index/fixture.ts';
import { rowsOfPart } from '../part.ts';
import type { Bench } from '../run.ts';
import { agentRows } from './agents.ts';
import { sharedFileRows } from './sharedFile.ts';
import { sideBySideRows } from './sideBySide.ts';
import { storeRows } from './store.ts';

/** The index outside the editor: for agents, and for a team. */
export const benchTeam: Bench = async (tell) => {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'ignore' });
  return [
    ...(await rowsOfPart(tell, 'agents', () => agentRows(tell))),
    ...(await rowsOfPart(tell, 'shared file', () => sharedFileRows(tell))),
    ...(await rowsOfPart(tell, 'store', () => storeRows(tell))),
    ...(await rowsOfPart(tell, 'both stores', () => sideBySideRows(tell))),
  ];
};

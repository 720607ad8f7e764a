import { installPeers } from '../peers.ts';
import type { Row } from '../row.ts';
import { measureCorrectness } from './correctness.ts';
import { measureFirstDelta } from './firstDelta.ts';
import { measureSpeed } from './speed.ts';

/** Parley's client beside the three that people use: is what they say true, and how fast are they. */
export async function benchClient(tell: (text: string) => void): Promise<Row[]> {
  await installPeers();
  return [...(await measureCorrectness(tell)), ...(await measureSpeed()), ...(await measureFirstDelta())];
}

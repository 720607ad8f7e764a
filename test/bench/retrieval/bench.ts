import type { Row } from '../row.ts';
import { passageRows } from './passages.ts';
import { projectRows } from './projectRows.ts';

/** Search without any model: for code by its documentation, and for files by questions that were made by rule. */
export async function benchRetrieval(tell: (text: string) => void): Promise<Row[]> {
  return [...(await passageRows(tell)), ...(await projectRows(tell))];
}

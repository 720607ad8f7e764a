import type { Row } from './row.ts';

/** The rows of one part of a bench. One that cannot be measured is told of, and the other parts give theirs. */
export async function rowsOfPart(
  tell: (text: string) => void,
  part: string,
  measure: () => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await measure();
  } catch (error) {
    tell(`${part}: not measured. ${String(error)}`);
    process.exitCode = 1;
    return [];
  }
}

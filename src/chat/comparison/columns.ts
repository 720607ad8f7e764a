import { mostCompared } from './contestants.ts';

/** A version of an answer, as far as it matters for standing in a column. */
export interface ColumnVersion {
  readonly id: string;
  readonly isStreaming: boolean;
}

/**
 * The versions that stand side by side at first, in their order, four at most: those that are being written, beside the one that is
 * asked about where there is room; else the first ones, with it among them.
 * @param versions all of an answer
 * @param about one of them
 */
export function firstColumns(versions: readonly ColumnVersion[], about: string): string[] {
  const streaming = versions.filter(({ isStreaming }) => isStreaming);
  const others = streaming.length > 0 ? streaming : versions;
  const wanted = new Set(others.slice(0, mostCompared).map(({ id }) => id));
  if (!wanted.has(about) && (streaming.length < 2 || streaming.some(({ id }) => id === about))) {
    const last = [...wanted].at(-1);
    if (wanted.size === mostCompared && last !== undefined) wanted.delete(last);
    wanted.add(about);
  }
  return versions.filter(({ id }) => wanted.has(id)).map(({ id }) => id);
}

/**
 * The columns with versions that are gone left out, and with new ones that are being written added as long as there is room.
 * Fewer than two versions are nothing to compare: none then.
 */
export function laterColumns(columns: readonly string[], versions: readonly ColumnVersion[]): string[] {
  const there = new Set(versions.map(({ id }) => id));
  const kept = columns.filter((id) => there.has(id));
  const begun = versions.filter(({ id, isStreaming }) => isStreaming && !kept.includes(id)).map(({ id }) => id);
  const all = [...kept, ...begun].slice(0, mostCompared);
  if (versions.length < 2) return [];
  // One column alone gets the version that is nearest to it beside it.
  const beside = all.length === 1 ? neighbours(versions, all, 0) : undefined;
  const other = beside?.after ?? beside?.before;
  return other === undefined ? all : [...all, other];
}

/** The versions that a column can show in the place of its own: the nearest ones on either side that no other column shows. */
export function neighbours(
  versions: readonly Pick<ColumnVersion, 'id'>[],
  columns: readonly string[],
  column: number,
): { readonly before?: string | undefined; readonly after?: string | undefined } {
  const at = versions.findIndex(({ id }) => id === columns[column]);
  if (at < 0) return {};
  const isFree = ({ id }: Pick<ColumnVersion, 'id'>): boolean => !columns.includes(id);
  return { before: versions.slice(0, at).findLast(isFree)?.id, after: versions.slice(at + 1).find(isFree)?.id };
}

import { ServiceError } from '../service/errors.ts';
import { gitChanged } from './git.ts';
import { bothTests, type PathTest, pathTest, type QueryFilters } from './queryFilter.ts';

/**
 * The test a file has to pass for all of the filters; undefined when they narrow nothing.
 * @throws ServiceError `invalid-request` for a revision that no root knows; `param` is `changedSince`
 */
export async function pathTestOf(
  roots: readonly string[],
  filters: readonly QueryFilters[],
  signal: AbortSignal,
): Promise<PathTest | undefined> {
  let test: PathTest | undefined;
  for (const each of filters) {
    const { changedSince } = each;
    const changed = changedSince === undefined ? undefined : await changedIn(roots, changedSince, signal);
    test = bothTests(test, pathTest(each, changed));
  }
  return test;
}

async function changedIn(
  roots: readonly string[],
  revision: string,
  signal: AbortSignal,
): Promise<Map<string, ReadonlySet<string>>> {
  const changed = new Map<string, ReadonlySet<string>>();
  for (const root of roots) {
    const paths = await gitChanged(root, revision, signal);
    if (paths !== undefined) changed.set(root, paths);
  }
  if (changed.size === 0) throw new ServiceError('invalid-request', { param: 'changedSince', hint: revision });
  return changed;
}

import { ServiceError } from '../../../base/errors.ts';
import { type Changed, gitChanged } from '../../../workspace/git/gitChanged.ts';
import type { PathTest } from '../../types.ts';
import { bothTests, pathTest, type QueryFilters } from './queryFilter.ts';

/**
 * The test a file has to pass for all of the filters; undefined when they narrow nothing.
 * @throws ServiceError `invalid-request` for a revision unknown in every root, with `param` `changedSince`; `git` where
 * git fails
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
    test = bothTests(test, pathTest(each, changed, roots));
  }
  return test;
}

async function changedIn(
  roots: readonly string[],
  revision: string,
  signal: AbortSignal,
): Promise<Map<string, ReadonlySet<string>>> {
  const changed = new Map<string, ReadonlySet<string>>();
  const failures: Exclude<Changed, { kind: 'changed' }>[] = [];
  for (const root of roots) {
    const found = await gitChanged(root, revision, signal);
    if (found.kind === 'changed') changed.set(root, found.paths);
    else failures.push(found);
  }
  if (changed.size > 0) return changed;
  // With several folders, the reason of the one that got furthest is reported.
  const order = ['not-owned', 'failed', 'endless', 'no-revision', 'no-repository', 'missing'] as const;
  const kind = order.find((each) => failures.some((failure) => failure.kind === each)) ?? 'no-revision';
  if (kind === 'no-revision') throw new ServiceError('invalid-request', { param: 'changedSince', hint: revision });
  const message = failures
    .map((failure) => (failure.kind === 'failed' ? failure.said : failure.kind === 'not-owned' ? failure.folder : ''))
    .find((said) => said !== '');
  throw new ServiceError('git', { hint: kind, message });
}

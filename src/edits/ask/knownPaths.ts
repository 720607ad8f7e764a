import type { CalledChange } from './editTool.ts';

/** The changes with the paths that files are known by: a call may have the end of one, or more in front of it. */
export function withKnownPaths(changes: readonly CalledChange[], known: Iterable<string>): CalledChange[] {
  const paths = [...known];
  return changes.map((change) => {
    const path = change.path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    if (paths.includes(path)) return { ...change, path };
    const [only, ...others] = paths.filter((each) => each.endsWith(`/${path}`) || path.endsWith(`/${each}`));
    return only === undefined || others.length > 0 ? change : { ...change, path: only };
  });
}

/** The most paths of a listing: more say nothing that the folders above do not. */
const mostListed = 2_000;

/** The paths of the files below a folder, a line each. @param folder `''` for all of them */
export function folderListing(paths: readonly string[], folder: string): string {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = paths.filter((path) => path.startsWith(prefix)).sort();
  const rest = inside.length - mostListed;
  return [...inside.slice(0, mostListed), ...(rest > 0 ? [`… and ${rest} more files`] : [])].join('\n');
}

/** All folders that have files below them, each once. */
export function foldersOf(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

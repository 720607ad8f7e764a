/** A file that is to be written, for a recording or whatever else it is made from. */
export interface ExportTarget<Source> {
  readonly source: Source;
  /** Absolute path, or an address; what the predicate is asked about. */
  readonly path: string;
}

export interface ExportPlan<Source> {
  /** What is to be written. */
  readonly open: readonly ExportTarget<Source>[];
  /** What is there already. */
  readonly done: readonly ExportTarget<Source>[];
  /** What has the place of one before it in the list, such as the texts of `a.mp3` and `a.wav` beside each other. */
  readonly clashing: readonly ExportTarget<Source>[];
}

/**
 * Tells which of many files are still to be written.
 * @param isThere whether a file exists; not asked for one that clashes. To write all again, give `() => false`.
 */
export function planExport<Source>(
  targets: readonly ExportTarget<Source>[],
  isThere: (path: string) => boolean,
): ExportPlan<Source> {
  const open: ExportTarget<Source>[] = [];
  const done: ExportTarget<Source>[] = [];
  const clashing: ExportTarget<Source>[] = [];
  const taken = new Set<string>();
  for (const target of targets) {
    // Disks of Windows and macOS take names that differ in case, or in how letters are composed, for one.
    const place = target.path.normalize('NFC').toLowerCase();
    const list = taken.has(place) ? clashing : isThere(target.path) ? done : open;
    taken.add(place);
    list.push(target);
  }
  return { open, done, clashing };
}

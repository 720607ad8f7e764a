import { l10n, Uri, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { type KeptReview, type KeptSet, readKeptSet } from '../../review/keptSet.ts';
import { areLines } from '../../review/mergeLines.ts';
import { isOtherAlive, type SetFiles } from '../../review/setFiles.ts';
import { takeSets } from '../../review/takeSets.ts';
import { cellScheme } from '../target.ts';
import { allLines } from '../trackedLines.ts';
import type { ChangeSet, ChangeSets } from './changeSet.ts';
import type { ReviewedDocument } from './reviewedDocument.ts';

/** What was written of a set, or read, last. */
export interface KnownSet {
  readonly state: string;
  /** Of its text; undefined for one that is too large to be kept. */
  readonly digest: string | undefined;
  readonly time: number;
}

interface TakeOverParts {
  readonly files: SetFiles;
  readonly sets: ChangeSets;
  /** By the id of the set. */
  readonly known: Map<string, KnownSet>;
  /** Whether an answer comes into a file of the set. */
  readonly isComing: (set: ChangeSet) => boolean;
  readonly isUnsaved: (set: ChangeSet) => boolean;
  readonly notices: Notices;
}

/**
 * Takes over what other windows have written since the sets were known. What is changed here at the same time is written here, and they
 * take that.
 * @returns `behind` where something has to wait until a set here is whole, written, or decided on
 */
export function createTakeOver(parts: TakeOverParts): () => Promise<'all' | 'behind' | 'no folder'> {
  const { files, sets, known, isComing, isUnsaved } = parts;

  /** Those that are shown, and what has come or gone beside them. */
  function compare(ids: readonly string[], news: readonly KeptSet[]) {
    const isGone = ({ id }: ChangeSet): boolean => known.get(id)?.digest !== undefined && !ids.includes(id);
    const gone = sets.all.filter((set) => isGone(set) && !isUnsaved(set));
    const uris = new Set(news.flatMap((set) => set.files.map(({ uri }) => uri)));
    for (const { documents } of gone) for (const { uri } of documents) uris.add(uri.toString());
    const isNews = ({ id }: ChangeSet): boolean => news.some((set) => set.id === id);
    const isBeside = (set: ChangeSet): boolean => set.documents.some(({ uri }) => uris.has(uri.toString()));
    const beside = sets.all.filter((set) => !gone.includes(set) && !isNews(set) && isBeside(set));
    return { gone, beside, changed: sets.all.filter(isNews) };
  }

  return async () => {
    const ids = await files.ids();
    if (ids === undefined) return 'no folder';
    const digests = new Map<string, string>();
    const news = await readNews(ids, digests, parts);
    const { gone, beside, changed } = compare(ids, news);
    if (news.length === 0 && gone.length === 0) return 'all';
    if ([...gone, ...beside, ...changed].some(isComing) || beside.some(isUnsaved)) return 'behind';
    const shown = beside.map((set) => toKept(set, known.get(set.id)?.time ?? 0));
    const { taken, waiting } = takeSets(shown, news);
    if (waiting.length === news.length && gone.length === 0) return 'behind';
    const isLeft = ({ id }: ChangeSet): boolean => waiting.some((set) => set.id === id);
    for (const { id } of gone) known.delete(id);
    sets.replace(
      [...gone, ...beside, ...changed.filter((set) => !isLeft(set))],
      taken.map((set) => ({
        ...set,
        files: set.files.map((file) => ({ ...file, uri: Uri.parse(file.uri, true) })),
      })),
    );
    for (const { id, time } of taken) {
      const set = sets.all.find((each) => each.id === id);
      const digest = digests.get(id) ?? known.get(id)?.digest;
      if (set !== undefined) known.set(id, { state: stateOf(set), digest, time });
    }
    return waiting.length > 0 ? 'behind' : 'all';
  };
}

/** The sets that another window has written since this one knew them; their digests are noted. */
async function readNews(
  ids: readonly string[],
  digests: Map<string, string>,
  { files, sets, known, isUnsaved, notices }: TakeOverParts,
): Promise<KeptSet[]> {
  const news: KeptSet[] = [];
  for (const id of ids) {
    const own = sets.all.find((set) => set.id === id);
    // One that has ended here is about to be removed, and one that changed here is about to be written.
    if (own === undefined ? known.has(id) : isUnsaved(own)) continue;
    const found = await files.read(id);
    if (found === undefined || found.digest === known.get(id)?.digest) continue;
    const kept = await readUsable(found.text, notices);
    if (kept === 'lost') await files.remove(id);
    if (kept === 'lost' || kept === 'elsewhere' || kept.id !== id) continue;
    digests.set(id, found.digest);
    news.push(kept);
  }
  return news;
}

/**
 * A set as it can be shown here, without cells of notebooks of which it cannot be told any more which they are.
 * @returns `lost` where nothing of it can, and no window has it; `elsewhere` where another window has it still
 */
async function readUsable(json: string, notices: Notices): Promise<KeptSet | 'lost' | 'elsewhere'> {
  const kept = readKeptSet(json);
  if (kept === undefined) return 'lost';
  const isShownElsewhere = kept.writer !== undefined && isOtherAlive(kept.writer);
  const files: KeptReview[] = [];
  for (const file of kept.files) {
    if (await isSame(file)) files.push(file);
    else if (!isShownElsewhere) void notices.warn(lostText(file));
  }
  if (files.length > 0) return { ...kept, files };
  return isShownElsewhere ? 'elsewhere' : 'lost';
}

/** Whether a file is the one that is meant: a cell of a notebook is another one after a reload where its text is another. */
async function isSame({ uri, review }: KeptReview): Promise<boolean> {
  const address = Uri.parse(uri, true);
  if (address.scheme !== cellScheme) return true;
  const cell = await workspace.openTextDocument(address).then(
    (document) => document,
    () => undefined,
  );
  return cell !== undefined && areLines(allLines(cell), review.lines);
}

function lostText({ uri }: KeptReview): string {
  const { path } = Uri.parse(uri, true);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return l10n.t(
    'It cannot be told which cell of {0} changes were proposed for, so they are not proposed any more.',
    name,
  );
}

/**
 * What has to change before a set is written again. What is typed is found out by comparing texts, but in a cell of a notebook,
 * which is known by its text alone.
 */
export function stateOf({ documents }: ChangeSet): string {
  const textOf = ({ uri, file }: ReviewedDocument) => (uri.scheme === cellScheme ? file.lines : []);
  return JSON.stringify(
    documents.map((each) => [
      each.uri.toString(),
      each.file.hunks.map(({ id, set, state }) => [id, set, state]),
      textOf(each),
    ]),
  );
}

/** A set as it is kept. */
export function toKept({ id, title, instruction, documents }: ChangeSet, time: number): KeptSet {
  const files = documents.map(({ uri, isNew, file }) => ({ uri: uri.toString(), isNew, review: file }));
  return { id, title, instruction, time, writer: process.pid, files };
}

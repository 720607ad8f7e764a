import { nextTurn } from '../../base/nextTurn.ts';
import type { Store } from '../store/store.ts';
import { indexedWords } from '../store/words.ts';
import { cutOf } from './fileCut.ts';
import type { FileVersion, IndexedFile, IndexStore } from './indexStore.ts';
import type { PublishedCounts } from './teamStore.ts';

/** What of one root goes to which store. */
export interface PublishedRoot {
  readonly store: () => Store;
  readonly root: string;
  /** Whether the texts of the chunks go along, and not their hashes, lines, names and words alone. */
  readonly withTexts: boolean;
  readonly signal: AbortSignal;
  /** Told of each step that was done, with the files that it has looked at. */
  readonly onDone: (counts: Partial<PublishedCounts>, files: number) => void;
}

/** Files that are compared at once, and chunks that go over the network together. */
const filesAtOnce = 5_000;
const chunksAtOnce = 2_000;

/**
 * Brings the files that a store has of a repository to those of a root in the index on this machine: stores what is new or has
 * changed, and forgets what is gone or is left out by now. Each batch is stored whole: where it is stopped, the next call goes on.
 * @throws IndexStoreError where the store fails
 */
export async function publishFiles(team: IndexStore, published: PublishedRoot): Promise<void> {
  const { store, root, signal, onDone } = published;
  const all = store().versionsOf(root);
  for (let from = 0; from < all.length; from += filesAtOnce) {
    const versions = all.slice(from, from + filesAtOnce).map(({ path, hash }) => versionOf(published, path, hash));
    const changed = new Set(await team.changedFiles(versions, signal));
    onDone({}, versions.length - changed.size);
    for (const { files, read } of batchesOf(
      published,
      versions.filter(({ path }) => changed.has(path)),
    )) {
      const refused = files.length === 0 ? [] : await team.putFiles(files, signal);
      onDone({ stored: files.length - refused.length, refused: refused.length }, read);
      // Ctrl+C comes through in between.
      await nextTurn();
    }
  }
  const forgotten = await team.keepFiles(keptPaths(store(), root), signal);
  onDone({ forgotten }, 0);
  await team.settle(signal);
}

function versionOf({ store, root, withTexts }: PublishedRoot, path: string, hash: string): FileVersion {
  return { path, hash: Buffer.from(hash, 'hex'), cut: cutOf(store().chunkHashes(root, path), withTexts) };
}

/** The files whole, about so many chunks at a time, and how many were read for them. */
function* batchesOf(
  published: PublishedRoot,
  versions: readonly FileVersion[],
): Generator<{ files: IndexedFile[]; read: number }> {
  let [files, read, chunks]: [IndexedFile[], number, number] = [[], 0, 0];
  for (const version of versions) {
    const file = indexedFile(published, version);
    read++;
    if (file !== undefined) files.push(file);
    chunks += file?.chunks.length ?? 0;
    if (chunks < chunksAtOnce && files.length < chunksAtOnce) continue;
    yield { files, read };
    [files, read, chunks] = [[], 0, 0];
  }
  if (read > 0) yield { files, read };
}

/** A file as the store keeps it; undefined where the index has damaged it or has read it again meanwhile: the next run has it whole. */
function indexedFile({ store, root, withTexts }: PublishedRoot, { path, hash }: FileVersion): IndexedFile | undefined {
  const whole = store().wholeFile(root, path);
  if (whole === undefined || store().fileHash(root, path) !== Buffer.from(hash).toString('hex')) return undefined;
  const chunks = whole.map(({ text, ...chunk }) => (withTexts ? { ...chunk, text } : chunk));
  return { path, hash, pathWords: indexedWords(path), chunks };
}

/** The files that stay in the store: of one that is damaged, what was stored before stays. */
function keptPaths(store: Store, root: string): string[] {
  return store.pathsOf(root).filter((path) => store.known(root, path)?.reason === undefined);
}

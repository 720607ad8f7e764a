import type { Uri } from 'vscode';
import { firstHits, hitsByFile } from '../../query/hitsByFile.ts';
import { fileOfHit, type Hit, type HitsAnswer } from '../index/runSearch.ts';

/** A hit with its current place: its lines are followed while the document changes. */
export interface KeptHit extends Hit {
  readonly id: string;
  /** The hit's own lines were changed, so they differ from what was found. */
  touched: boolean;
}

export interface KeptFile {
  readonly uri: Uri;
  /** Hits, the best first. */
  readonly hits: readonly KeptHit[];
}

/** An answer's origin, without its hits. */
export type Half = Omit<HitsAnswer, 'hits'>;
const noHalf: Half = { by: 'keywords' };

/** An answer that is kept: its hits by file, the first of them listed. */
export interface KeptAnswer {
  readonly half: Half;
  /** Files with the hits that are listed, the one with the best hit first. */
  readonly files: readonly KeptFile[];
  /** The tail of the answer, which is not listed yet. */
  readonly rest: readonly KeptHit[];
  listed(): KeptHit[];
  /** The listed hit at the place of this one, or this one as it is kept from now on. */
  keptHit(hit: Hit): KeptHit;
  /**
   * Takes in a newer answer.
   * @param isAgain it is one to the same question
   * @returns false where all is equal, and nothing is to be drawn again
   */
  take(answer: HitsAnswer, isAgain: boolean): boolean;
  /** Lists the rest, too, for this question. Returns whether there was one. */
  showMore(): boolean;
  dismiss(hits: ReadonlySet<KeptHit>): void;
  /** Lists the hits by their files again, after renames. */
  regroup(): void;
  clear(): void;
}

export function createKeptAnswer(): KeptAnswer {
  let half = noHalf;
  let files: KeptFile[] = [];
  let rest: readonly KeptHit[] = [];
  let showsAll = false;
  let lastId = 0;

  const listed = (): KeptHit[] => files.flatMap(({ hits }) => hits);
  const keep = (hit: Hit): KeptHit => ({ ...hit, id: `${++lastId}`, touched: false });

  return {
    get half() {
      return half;
    },
    get files() {
      return files;
    },
    get rest() {
      return rest;
    },
    listed,
    keptHit: (hit) =>
      listed().find((own) => own.id === (hit as Partial<KeptHit>).id || isSamePlace(own, hit)) ?? keep(hit),
    take({ hits, ...nextHalf }, isAgain) {
      showsAll &&= isAgain;
      const first = showsAll ? hits : firstHits(hits, fileOfHit);
      const before = isAgain ? listed() : [];
      // Equal rows keep the selection.
      const kept = first.map((hit) => before.find((own) => !own.touched && isSameHit(own, hit)) ?? keep(hit));
      const isUnchanged =
        isAgain && isSameHalf(half, nextHalf) && isSameList(before, kept) && rest.length === hits.length - first.length;
      const isFirst = new Set(first);
      rest = hits.filter((hit) => !isFirst.has(hit)).map(keep);
      if (isUnchanged) return false;
      half = nextHalf;
      files = byFile(kept);
      return true;
    },
    showMore() {
      showsAll = true;
      const more = rest;
      rest = [];
      if (more.length > 0) files = byFile([...listed(), ...more]);
      return more.length > 0;
    },
    dismiss(gone) {
      const left = files.map(({ uri, hits }) => ({ uri, hits: hits.filter((hit) => !gone.has(hit)) }));
      files = left.filter(({ hits }) => hits.length > 0);
    },
    regroup() {
      files = byFile(listed());
    },
    clear() {
      half = noHalf;
      files = [];
      rest = [];
    },
  };
}

function isSameHalf(a: Half, b: Half): boolean {
  const members = ['by', 'indexed', 'fault', 'otherModel', 'looked'] as const;
  const isSameTeam = a.team?.problem === b.team?.problem && (a.team?.hits === 0) === (b.team?.hits === 0);
  return isSameTeam && members.every((each) => a[each] === b[each]);
}

function isSameList(a: readonly KeptHit[], b: readonly KeptHit[]): boolean {
  return a.length === b.length && b.every((hit) => a.includes(hit));
}

function isSameHit(a: Hit, b: Hit): boolean {
  return isSamePlace(a, b) && (['line', 'text', 'score', 'why'] as const).every((aspect) => a[aspect] === b[aspect]);
}

function isSamePlace(a: Hit, b: Hit): boolean {
  return a.uri.toString() === b.uri.toString() && a.startLine === b.startLine && a.endLine === b.endLine;
}

function byFile(hits: readonly KeptHit[]): KeptFile[] {
  return hitsByFile(hits, fileOfHit).flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ uri: first.uri, hits: own }];
  });
}

import type { LineRange } from '../../base/lines.ts';
import type { Declaration } from '../../syntax/declaration.ts';
import type { SyntaxReader } from '../../syntax/readSyntax.ts';

/** A file that code is to be placed in, and what is known of where. */
export interface CodeTarget {
  readonly file: readonly string[];
  readonly path: string;
  readonly syntax: SyntaxReader;
  /** The lines that were selected, or the line of the cursor. */
  readonly near?: LineRange | undefined;
  /** The line of the answer above the code, which may name where it goes. */
  readonly above: string;
  /** What the user asked for, which may name what is to go. */
  readonly instruction: string;
  /** The keys of what the same answer declares for other files: it may have moved there. */
  readonly moved: ReadonlySet<string>;
  /** As `moved`, though nothing takes in those files: whether it is to go is not said. */
  readonly copied: ReadonlySet<string>;
}

/** The index of each declaration, by its key with those of all around it: `type:Order/function:total`. */
export function indexByPath(declarations: readonly Declaration[]): ReadonlyMap<string, readonly number[]> {
  const paths: string[] = [];
  const byPath = new Map<string, number[]>();
  for (const [at, { key, parent }] of declarations.entries()) {
    const path = parent < 0 ? key : `${paths[parent] ?? ''}/${key}`;
    paths.push(path);
    byPath.set(path, [...(byPath.get(path) ?? []), at]);
  }
  return byPath;
}

/** The declarations of a text that another does not have under the same names, as often. */
export function missingIn(theirs: readonly Declaration[], ours: readonly Declaration[]): Declaration[] {
  const shown = indexByPath(ours);
  return [...indexByPath(theirs)].flatMap(([path, all]) => {
    const own = shown.get(path) ?? [];
    const gone = all.map((at) => theirs[at] as Declaration);
    if (all.length === 1) return own.length > 0 ? [] : gone;
    // Overloads have one name: each is told by its line.
    const heads = new Set(own.map((at) => ours[at]?.signature));
    return gone.filter(({ signature }) => !heads.has(signature));
  });
}

/** A declaration with all that are within it, as those of a text of its own. */
export function within(all: readonly Declaration[], index: number): Declaration[] {
  const outer = all[index] as Declaration;
  const places = new Map([[index, 0]]);
  for (let at = index + 1; at < all.length; at++) if (places.has(all[at]?.parent ?? -1)) places.set(at, places.size);
  return [...places.keys()].map((at) => {
    const each = all[at] as Declaration;
    return {
      ...each,
      parent: at === index ? -1 : (places.get(each.parent) ?? -1),
      head: each.head - outer.lead,
      end: each.end - outer.lead,
    };
  });
}

/** Whether what the user asked for names a declaration, in whatever sentence. */
export function isAskedAbout(instruction: string, { key }: Declaration): boolean {
  const names = key.slice(key.indexOf(':') + 1).match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const said = new Set(instruction.match(/[\p{L}\p{N}_$]{2,}/gu) ?? []);
  return names.length > 0 && names.every((name) => said.has(name));
}

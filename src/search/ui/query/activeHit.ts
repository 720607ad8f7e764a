import type { Event, QuickPickItem } from 'vscode';
import type { Hit } from '../index/runSearch.ts';

type Item = QuickPickItem & { readonly hit?: Hit };

interface Pick<T extends Item> {
  items: readonly T[];
  activeItems: readonly T[];
  readonly onDidChangeActive: Event<readonly T[]>;
}

/** Changes the items of a list; the hit that is active stays so where it is still listed. */
export interface ActiveHit<T extends Item> {
  show(items: readonly T[]): void;
  /** The next list belongs to another question: its first hit becomes active. */
  forget(): void;
}

/**
 * VS Code names the active item by its number, also while a new list is on its way to it: what it says first, of a list that has
 * just changed, may be a number of the list before. On a slow machine the active hit went over to another that way.
 */
export function createActiveHit<T extends Item>(pick: Pick<T>): ActiveHit<T> {
  let active: Hit | undefined;
  let isNewList = false;
  pick.onDidChangeActive(([item]) => {
    const isOfOldList = isNewList && active !== undefined && item === pick.items[0];
    isNewList = false;
    if (!isOfOldList) active = item?.hit;
  });

  return {
    show(items) {
      if (!isSameList(pick.items, items)) {
        pick.items = items;
        isNewList = true;
      }
      const same = pick.items.find(({ hit }) => isSameHit(hit, active));
      if (same !== undefined && same !== pick.activeItems[0]) pick.activeItems = [same];
    },
    forget() {
      active = undefined;
    },
  };
}

function isSameList(one: readonly Item[], other: readonly Item[]): boolean {
  const isSame = (a: Item, b: Item | undefined): boolean =>
    a.label === b?.label && a.description === b.description && a.detail === b.detail;
  return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
}

function isSameHit(one: Hit | undefined, other: Hit | undefined): boolean {
  return one !== undefined && one.uri.toString() === other?.uri.toString() && one.line === other.line;
}

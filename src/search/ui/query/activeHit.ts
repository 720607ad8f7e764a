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

/** For the old list, for the new one, and once more. */
const mostTellings = 3;

/**
 * VS Code names the active item by its number, also while a new list is on its way to it. So what it says of a list that has just
 * changed may be numbers of the list before, and then that the first item is active, until it says the hit that the list was sent
 * with. On a slow machine the active hit went over to another that way. Now and then VS Code says the first item and nothing after
 * it: then it is told again.
 */
export function createActiveHit<T extends Item>(pick: Pick<T>): ActiveHit<T> {
  let active: Hit | undefined;
  /** The hit that the list was sent with, until VS Code says that it is the active one. */
  let awaited: T | undefined;
  /** How often VS Code may still be told, for this list. */
  let left = 0;
  pick.onDidChangeActive(([item]) => {
    if (awaited !== undefined && !isSameHit(item?.hit, awaited.hit)) {
      if (left-- > 0) pick.activeItems = [awaited];
      return;
    }
    awaited = undefined;
    active = item?.hit;
  });

  return {
    show(items) {
      if (isSameList(pick.items, items)) return;
      pick.items = items;
      awaited = items.find(({ hit }) => isSameHit(hit, active));
      left = mostTellings;
      if (awaited !== undefined) pick.activeItems = [awaited];
    },
    forget() {
      active = undefined;
      awaited = undefined;
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

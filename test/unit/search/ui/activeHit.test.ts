import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ActiveHit, createActiveHit } from '../../../../src/search/ui/query/activeHit.ts';

interface Item {
  label: string;
  hit: { uri: string; line: number };
}

const item = (label: string): Item => ({ label, hit: { uri: label, line: 1 } });

/** A list as VS Code has it: whoever listens hears of the active item by its number. */
function createPick() {
  let listener: (items: readonly Item[]) => void = () => {};
  const pick = {
    items: [] as readonly Item[],
    activeItems: [] as readonly Item[],
    onDidChangeActive: (listen: typeof listener) => {
      listener = listen;
      return { dispose: () => {} };
    },
    /** What the window says arrives: the number of the item that is active there. */
    hear(index: number): void {
      const active = pick.items[index];
      pick.activeItems = active === undefined ? [] : [active];
      listener(pick.activeItems);
    },
  };
  const active = createActiveHit(pick as never) as unknown as ActiveHit<never>;
  return { pick, show: (...labels: string[]) => active.show(labels.map(item) as never), forget: active.forget };
}

test('a hit stays active while the list changes, although VS Code still speaks of a number of the old list', () => {
  const { pick, show } = createPick();
  show('near');
  pick.hear(0);
  show('far', 'near');
  assert.equal(pick.activeItems[0]?.label, 'near');
  // Of the old list, then of the new one, before it has heard which hit is to be active.
  pick.hear(0);
  pick.hear(0);
  show('farther', 'far', 'near');
  assert.equal(pick.activeItems[0]?.label, 'near');
});

test('VS Code is told again, a few times, where it says another hit and nothing after it', () => {
  const { pick, show } = createPick();
  show('near');
  pick.hear(0);
  show('far', 'near');
  for (const _ of [1, 2, 3]) {
    pick.hear(0);
    assert.equal(pick.activeItems[0]?.label, 'near');
  }
  pick.hear(0);
  assert.equal(pick.activeItems[0]?.label, 'far', 'not for ever');
});

test('a hit that the user goes to is the active one of the next list', () => {
  const { pick, show } = createPick();
  show('a', 'b', 'c');
  pick.hear(0);
  pick.hear(2);
  show('a', 'b', 'x', 'c');
  assert.equal(pick.activeItems[0]?.label, 'c');
  pick.hear(0);
  pick.hear(3);
  pick.hear(0);
  show('b', 'a', 'c');
  assert.equal(pick.activeItems[0]?.label, 'a');
});

test('the first hit of another question is active, whatever was so before', () => {
  const { pick, show, forget } = createPick();
  show('a', 'b');
  pick.hear(1);
  forget();
  show('c', 'b');
  pick.hear(0);
  show('d', 'c', 'b');
  assert.equal(pick.activeItems[0]?.label, 'c');
});

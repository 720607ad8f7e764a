import { holdFocus } from '../parts/holdFocus.ts';
import { createHold, type Hold, keepPlace } from '../parts/keepPlace.ts';
import type { MessageView } from '../shared/protocol/messageProtocol.ts';
import type { PanelState } from '../shared/protocol/protocol.ts';
import { type ComparisonSection, createComparisonSection } from './comparison/comparisonSection.ts';
import { createFind, type Find } from './find/find.ts';
import { createLeftOutLine } from './list/leftOutLine.ts';
import { createMessageList } from './list/messageList.ts';
import { type ReadingPlace, readingPlace, scrollTopOf } from './list/readingPlace.ts';
import { createReveal, type Reveal } from './list/reveal.ts';
import type { Page } from './page.ts';
import { createStage, type Stage } from './stage.ts';

/** The messages of the conversation, in what scrolls them, with what finds and reveals them. */
export interface ConversationView {
  readonly elements: readonly HTMLElement[];
  /** Versions of an answer side by side, in the place of the messages. */
  readonly comparison: ComparisonSection;
  readonly find: Find;
  readonly reveal: Reveal;
  /** Whether the end is in sight, and stays there while an answer comes in. */
  readonly following: boolean;
  /** Where a reader is; undefined at the end. */
  readonly place: ReadingPlace | undefined;
  goTo(place: ReadingPlace): void;
  /** Goes to the end. */
  jump(): void;
  /** Keeps something in its place on the screen through a change. */
  readonly hold: Hold;
  /** Makes a change that leaves what is read where it is. */
  keepPlace(change: () => void): void;
  /** Draws messages and state. @param isBegun whether an answer has begun that is not drawn yet @returns whether all is drawn */
  draw(messages: readonly MessageView[], state: PanelState, isBegun: boolean): boolean;
}

export interface ConversationViewParts {
  readonly messages: () => readonly MessageView[];
  readonly drawSoon: () => void;
  /** @returns whether all is drawn */
  readonly drawNow: () => boolean;
  readonly onScroll: () => void;
}

export function createConversationView(page: Page, parts: ConversationViewParts): ConversationView {
  const { messages, drawSoon, drawNow, onScroll } = parts;
  const list = createMessageList(page, drawSoon);
  const leftOut = createLeftOutLine(page);
  const stage = createStage(page, list.element, onScroll);
  const { scroller, follower } = stage;
  const comparison = createComparisonSection(page, () => {
    stage.element.hidden = comparison.isOpen;
    drawSoon();
  });
  const hold = createHold(scroller);
  const find = createFind(page, { scroller, list, follower, messages, draw: drawNow });

  return {
    elements: [stage.element, comparison.element],
    comparison,
    find,
    reveal: createReveal(scroller, list, follower, drawNow),
    get following() {
      return follower.following;
    },
    get place() {
      return follower.following ? undefined : readingPlace(scroller, list.places);
    },
    goTo(place) {
      list.reveal(place.message);
      follower.restore(() => scrollTopOf(scroller, list.places, place), drawNow());
    },
    jump: () => follower.jump(),
    hold,
    keepPlace: (change) => keepPlace(scroller, '.markdown-blocks > *', { follower, hold }, change),
    draw(messages, state, isBegun) {
      if (comparison.isOpen) return comparison.draw();
      const held = holdFocus(list.element);
      page.edits.show(state.edited ?? []);
      const isAll = list.update(messages);
      leftOut.place(list.places.find(({ id }) => id === state.window?.sentFrom)?.element, state.window);
      scroller.setAttribute('aria-busy', String(!isAll));
      stage.showStart(messages.length === 0 ? state : undefined);
      if (isBegun) follower.follow();
      else follower.settle(isAll);
      find.update(isAll);
      const { isLost, movedBy } = held();
      if (isLost) page.focusBox();
      if (movedBy !== undefined) holdStepper(movedBy, isAll, stage);
      // Reading `scrollHeight` lays out the page.
      void scroller.scrollHeight;
      return isAll;
    },
  };
}

/** The text of a long version comes in several goes, and moves what is below it with each. */
function holdStepper(movedBy: () => number | undefined, isAll: boolean, { follower, scroller }: Stage): void {
  if (isAll && movedBy() === 0) return;
  follower.restore(() => {
    const by = movedBy();
    return by === undefined ? undefined : scroller.scrollTop + by;
  }, isAll);
}

import { createCodeWrap } from '../markdown/code/wrap.ts';
import { element } from '../parts/dom.ts';
import { holdFocus } from '../parts/holdFocus.ts';
import { createHold, keepPlace } from '../parts/keepPlace.ts';
import { followLinks } from '../parts/links.ts';
import type { FromChatPanel, PanelState, Strings, ToChatPanel } from '../shared/protocol.ts';
import { announceEnd } from './announceEnd.ts';
import { type Composer, createComposer } from './composer/composer.ts';
import { fromBase64, scaleImage } from './composer/scaleImage.ts';
import { createDrawLoop } from './drawLoop.ts';
import { createEdits } from './edits.ts';
import { createFind } from './find/find.ts';
import { createIncoming } from './incoming.ts';
import { createLive, createStage } from './layout.ts';
import { createLeftOutLine } from './leftOutLine.ts';
import { createMessageList } from './list/messageList.ts';
import { type ReadingPlace, readingPlace, scrollTopOf } from './list/readingPlace.ts';
import { createReveal } from './list/reveal.ts';
import { createPage } from './page.ts';

/** State that outlives the page, which VS Code throws away when it is hidden. */
export interface SavedState {
  readonly draft: string;
  /** The questions that were being edited: their ids, and what was written of each. */
  readonly edits?: Readonly<Record<string, string>>;
  /** Whether long lines of code wrap. */
  readonly wrapsCode?: boolean;
  readonly conversation: string;
  readonly following: boolean;
  readonly place?: ReadingPlace | undefined;
}

export interface Host {
  post(message: FromChatPanel): void;
  save(state: SavedState): void;
}

export interface Panel {
  receive(message: ToChatPanel): void;
}

const noState: PanelState = {
  connected: true,
  model: '',
  parameters: '',
  tokens: '',
  chips: [],
  instructions: [],
  queue: [],
  suggestions: [],
};

export function createPanel(root: HTMLElement, strings: Strings, saved: SavedState | undefined, host: Host): Panel {
  const live = createLive();
  const edits = createEdits(saved?.edits, () => save());
  const wrap = createCodeWrap(root, strings, saved?.wrapsCode === true, () => save());
  const page = createPage(strings, host.post, live, {
    edits,
    wrap,
    focusBox: () => composer.focus(),
    isFollowing: () => follower.following,
    hold: (top) => hold(top),
    keepPlace: (change) => keepPlace(scroller, '.markdown-blocks > *', { follower, hold }, change),
  });
  const list = createMessageList(page, () => loop.soon(true));
  const leftOut = createLeftOutLine(page);
  const stage = createStage(page, list.element, () => save());
  const composer: Composer = createComposer(page, saved?.draft ?? '', () => save());
  const { scroller, follower } = stage;
  const hold = createHold(scroller);
  const heading = element('h1', { class: 'sr-only', text: strings['conversation'] });
  const find = createFind(page, {
    scroller,
    list,
    follower,
    messages: () => incoming.replica.messages,
    draw: () => loop.now(),
  });
  root.replaceChildren(heading, find.element, stage.element, composer.element, live);
  followLinks(root, host.post);

  const loop = createDrawLoop(draw);
  const incoming = createIncoming({
    onMissing: () => host.post({ type: 'ready' }),
    onBegin: () => {
      isBegun = true;
    },
    onEnd: (answer) => announceEnd(page, answer),
  });
  const reveal = createReveal(scroller, list, follower, () => loop.now());
  let state = noState;
  /** Whether an answer has begun that is not drawn yet. */
  let isBegun = false;

  onFindKey(openFind);
  onEscape(() => incoming.isBusy && host.post({ type: 'stop' }));
  addEventListener('focus', () => host.post({ type: 'focused' }));
  if (document.hasFocus()) host.post({ type: 'focused' });

  function save(): void {
    const { conversation } = incoming.replica;
    const { following } = follower;
    const place = following ? undefined : readingPlace(scroller, list.places);
    const { draft } = composer;
    host.save({ draft, edits: edits.all, wrapsCode: wrap.isOn, conversation, following, place });
  }

  function draw(): boolean {
    const { messages, seq } = incoming.replica;
    const empty = messages.length === 0;
    const held = holdFocus(list.element);
    const isAll = list.update(messages);
    leftOut.place(list.places.find(({ id }) => id === state.window?.sentFrom)?.element, state.window);
    scroller.setAttribute('aria-busy', String(!isAll));
    composer.update(state, incoming.isBusy);
    composer.element.hidden = empty && !state.connected && state.chips.length === 0;
    stage.showStart(empty ? state : undefined);
    if (isBegun) follower.follow();
    else follower.settle(isAll);
    isBegun = false;
    find.update(isAll);
    const { isLost, movedBy } = held();
    if (isLost) composer.focus();
    if (movedBy !== undefined) holdStepper(movedBy, isAll);
    // Reading `scrollHeight` lays out the page.
    void scroller.scrollHeight;
    // The message is sent even where some of an answer is still to be drawn: later patches must not wait for that.
    host.post({ type: 'drawn', seq });
    return isAll;
  }

  /** The text of a long version comes in several goes, and moves what is below it with each. */
  function holdStepper(movedBy: () => number | undefined, isAll: boolean): void {
    if (isAll && movedBy() === 0) return;
    follower.restore(() => {
      const by = movedBy();
      return by === undefined ? undefined : scroller.scrollTop + by;
    }, isAll);
  }

  function show(message: Extract<ToChatPanel, { type: 'show' }>): void {
    const { conversation: before } = incoming.replica;
    const { conversation } = message;
    if (before !== conversation) composer.leave();
    incoming.reset(message);
    state = message.state;
    loop.now();
    if (before === '' && saved?.conversation === conversation && saved.place !== undefined) goTo(saved.place);
    else if (before !== conversation && !reveal.isWanted) follower.jump();
    reveal.update();
    save();
  }

  function goTo(place: ReadingPlace): void {
    list.reveal(place.message);
    follower.restore(() => scrollTopOf(scroller, list.places, place), loop.now());
  }

  function openFind(): void {
    find.open();
    takeFocus(find.focus);
  }

  async function answerScaled({ id, mime, data }: Extract<ToChatPanel, { type: 'scaleImage' }>): Promise<void> {
    const image = await scaleImage(fromBase64(data, mime)).catch(() => undefined);
    host.post({ type: 'imageScaled', id, ...(image && { image }) });
  }

  return {
    receive(message) {
      switch (message.type) {
        case 'show':
          show(message);
          break;
        case 'patches': {
          const wanted = incoming.receive(message.patches);
          if (wanted !== undefined) loop.soon(wanted === 'at-once');
          if (reveal.isWanted) {
            loop.now();
            reveal.update();
          }
          break;
        }
        case 'state':
          state = message.state;
          loop.soon();
          break;
        case 'files':
          page.files.show(message.found);
          break;
        case 'doesNotFit':
          composer.holdBack(message);
          break;
        case 'takenBack':
          composer.takeBack(message.text);
          break;
        case 'scaleImage':
          void answerScaled(message);
          break;
        case 'completions':
          composer.complete(message);
          break;
        case 'reveal':
          reveal.begin(message.message, message.words);
          break;
        case 'find':
          openFind();
          break;
        case 'focus':
          takeFocus(composer.focus);
      }
    },
  };
}

/**
 * VS Code gives the view the focus by itself. A message that comes later, when the user has gone on to a list, must not
 * take the focus back: the list would close.
 */
function takeFocus(focus: () => void): void {
  if (document.hasFocus()) focus();
  else addEventListener('focus', focus, { once: true });
}

/** VS Code has no context key for the focus in the page of a view, which a key binding would need. */
function onFindKey(run: () => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (key.toLowerCase() !== 'f' || ctrlKey === metaKey || shiftKey || altKey) return;
    event.preventDefault();
    // VS Code would open the search of the editor, too, if the key reached it.
    event.stopPropagation();
    run();
  });
}

function onEscape(run: () => void): void {
  document.addEventListener('keydown', (event) => {
    // A repeated Escape belongs to the key press that has closed something before.
    if (event.key === 'Escape' && !event.isComposing && !event.repeat) run();
  });
}

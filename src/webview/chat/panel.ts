import { createCodeWrap } from '../markdown/code/wrap.ts';
import { element } from '../parts/dom.ts';
import { followLinks } from '../parts/links.ts';
import type { FromChatPanel, PanelState, Strings, ToChatPanel } from '../shared/protocol/protocol.ts';
import { type Composer, createComposer } from './composer/composer.ts';
import { createConversationView } from './conversationView.ts';
import { createDrawLoop } from './drawLoop.ts';
import { createEdits } from './edits.ts';
import { createIncoming } from './incoming.ts';
import type { ReadingPlace } from './list/readingPlace.ts';
import { announceEnd } from './message/announceEnd.ts';
import { createPage } from './page.ts';
import { type MessageOf, type ReceivingParts, receive, takeFocus } from './receive.ts';
import { createLive } from './stage.ts';

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
    isFollowing: () => view.following,
    hold: (top) => view.hold(top),
    keepPlace: (change) => view.keepPlace(change),
  });
  const view = createConversationView(page, {
    messages: () => incoming.replica.messages,
    drawSoon: () => loop.soon(true),
    drawNow: () => loop.now(),
    onScroll: () => save(),
  });
  const composer: Composer = createComposer(page, saved?.draft ?? '', () => save());
  const heading = element('h1', { class: 'sr-only', text: strings['conversation'] });
  root.replaceChildren(heading, view.find.element, ...view.elements, composer.element, live);
  followLinks(root, host.post);

  const loop = createDrawLoop(draw);
  const incoming = createIncoming({
    onMissing: () => host.post({ type: 'ready' }),
    onBegin: () => {
      isBegun = true;
    },
    // The columns say it themselves.
    onEnd: (answer) => view.comparison.isOpen || announceEnd(page, answer),
  });
  let state = noState;
  /** Whether an answer has begun that is not drawn yet. */
  let isBegun = false;

  onFindKey(openFind);
  const isBusy = (): boolean => incoming.isBusy || state.isWriting === true || view.comparison.isBusy;
  onEscape(() => (isBusy() ? host.post({ type: 'stop' }) : view.comparison.leave()));
  addEventListener('focus', () => host.post({ type: 'focused' }));
  if (document.hasFocus()) host.post({ type: 'focused' });

  function save(): void {
    const { conversation } = incoming.replica;
    const { following, place } = view;
    const { draft } = composer;
    host.save({ draft, edits: edits.all, wrapsCode: wrap.isOn, conversation, following, place });
  }

  function draw(): boolean {
    const { messages, seq } = incoming.replica;
    composer.update(state, isBusy());
    composer.element.hidden = messages.length === 0 && !state.connected && state.chips.length === 0;
    const isAll = view.draw(messages, state, isBegun);
    isBegun = false;
    // The message is sent even where some of an answer is still to be drawn: later patches must not wait for that.
    host.post({ type: 'drawn', seq });
    return isAll;
  }

  function show(message: MessageOf<'show'>): void {
    const { conversation: before } = incoming.replica;
    const { conversation } = message;
    if (before !== conversation) {
      composer.leave();
      composer.drawer.leave();
    }
    incoming.reset(message);
    composer.drawer.setFields(message.fields);
    state = message.state;
    loop.now();
    if (before === '' && saved?.conversation === conversation && saved.place !== undefined) view.goTo(saved.place);
    else if (before !== conversation && !view.reveal.isWanted) view.jump();
    view.reveal.update();
    save();
  }

  function openFind(): void {
    view.comparison.leave();
    view.find.open();
    takeFocus(view.find.focus);
  }

  const parts: ReceivingParts = {
    ...{ page, composer, incoming, loop, show, openFind, reveal: view.reveal, comparison: view.comparison },
    post: host.post,
    update(next) {
      state = next;
      loop.soon();
    },
  };
  return { receive: (message) => receive(message, parts) };
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

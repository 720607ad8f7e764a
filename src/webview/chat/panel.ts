import { element, icon } from '../parts/dom.ts';
import { createMarkdown } from '../parts/markdown.ts';
import { createFollower } from '../parts/scroll.ts';
import type { AnswerView, FromChatPanel, PanelState, Strings, ToChatPanel } from '../protocol.ts';
import { createComposer } from './composer.ts';
import { followLinks } from './links.ts';
import { createMessageList } from './messageList.ts';
import type { Page } from './page.ts';
import { applyPatch, type Replica } from './replica.ts';
import { welcome } from './welcome.ts';

/** What outlives the page, which VS Code throws away when it is hidden. */
export interface SavedState {
  readonly draft: string;
  readonly conversation: string;
  readonly following: boolean;
  readonly top: number;
}

export interface Host {
  post(message: FromChatPanel): void;
  save(state: SavedState): void;
}

export interface Panel {
  receive(message: ToChatPanel): void;
}

const noState: PanelState = { connected: true, model: '', tokens: '', chips: [], suggestions: [] };

export function createPanel(root: HTMLElement, strings: Strings, saved: SavedState | undefined, host: Host): Panel {
  const live = element('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  const page: Page = {
    strings,
    markdown: createMarkdown((label) => (strings['image'] ?? '').replace('{0}', label)),
    post: host.post,
    announce: (text) => {
      live.textContent = text;
    },
  };
  const list = createMessageList(page);
  const start = element('div', { class: 'start' });
  const scroller = element(
    'div',
    { class: 'conversation', role: 'log', 'aria-live': 'off', 'aria-label': strings['conversation'], tabindex: '0' },
    start,
    list.element,
  );
  const latest = element(
    'button',
    { class: 'button secondary latest', type: 'button', hidden: true, onclick: () => follower.jump() },
    icon('arrow-down'),
    strings['latest'] ?? '',
  );
  const composer = createComposer(page, saved?.draft ?? '', () => save());
  const follower = createFollower(scroller, (following) => {
    latest.hidden = following;
    save();
  });
  scroller.addEventListener('scrollend', () => save());
  const heading = element('h1', { class: 'sr-only', text: strings['conversation'] });
  root.replaceChildren(heading, element('div', { class: 'stage' }, scroller, latest), composer.element, live);
  followLinks(root, host.post);

  let replica: Replica = { conversation: '', seq: 0, messages: [] };
  let state = noState;
  let drawing = false;

  const isBusy = (): boolean => {
    const last = replica.messages.at(-1);
    return last?.role === 'assistant' && last.state === 'streaming';
  };

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && isBusy()) host.post({ type: 'stop' });
  });

  function save(): void {
    const { conversation } = replica;
    host.save({ draft: composer.draft, conversation, following: follower.following, top: scroller.scrollTop });
  }

  /** At most once a frame, however many patches came. */
  function drawSoon(): void {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      draw();
    });
  }

  function draw(): void {
    const empty = replica.messages.length === 0;
    list.update(replica.messages);
    composer.update(state, isBusy());
    composer.element.hidden = empty && !state.connected && state.chips.length === 0;
    drawStart(empty);
    follower.settle();
  }

  let startState: PanelState | undefined;
  function drawStart(empty: boolean): void {
    start.hidden = !empty;
    if (!empty || startState === state) return;
    startState = state;
    start.replaceChildren(welcome(page, state));
  }

  let asked = false;
  /** A patch is missing: only the whole conversation helps. */
  function askForAll(): void {
    if (!asked) host.post({ type: 'ready' });
    asked = true;
  }

  function receivePatches(patches: Extract<ToChatPanel, { type: 'patches' }>['patches']): void {
    for (const patch of patches) {
      const before = replica;
      const next = applyPatch(replica, patch);
      if (next === undefined) {
        askForAll();
        return;
      }
      replica = next;
      const { change } = patch;
      if (change.kind !== 'put' || next === before) continue;
      if (change.message.role === 'user') follower.jump();
      else if (change.message.state !== 'streaming' && before.messages[change.index]?.id === change.message.id) {
        announceEnd(page, change.message);
      }
    }
    drawSoon();
  }

  return {
    receive(message) {
      switch (message.type) {
        case 'show': {
          const { conversation, seq, messages } = message;
          const first = replica.conversation === '';
          asked = false;
          const same = replica.conversation === conversation;
          replica = { conversation, seq, messages };
          state = message.state;
          draw();
          if (first && saved?.conversation === conversation && !saved.following) follower.restore(saved.top);
          else if (!same) follower.jump();
          return save();
        }
        case 'patches':
          return receivePatches(message.patches);
        case 'state':
          state = message.state;
          return drawSoon();
        case 'focus':
          return composer.focus();
      }
    },
  };
}

/** Said once, when an answer is there: a reader that speaks each piece as it comes cannot be followed. */
function announceEnd({ strings, announce }: Page, { state, text, error }: AnswerView): void {
  const say = (key: string, what: string): void => announce((strings[key] ?? '').replace('{0}', () => what));
  if (state === 'stopped') announce(strings['answerStopped'] ?? '');
  else if (error !== undefined) say('answerFailed', error.sentence);
  else say('answerEnded', text.replace(/[`*_#>|]/g, ''));
}

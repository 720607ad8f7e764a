import { type Disposable, type Event, EventEmitter, l10n } from 'vscode';
import { throttle } from '../../../base/throttle.ts';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import type { SearchResult } from '../../history/conversationSummaries.ts';
import type { History } from '../../history/history.ts';
import { wordsOf } from '../../history/searchWords.ts';
import type { ConversationQuery } from './conversationRows.ts';

/** The search of all conversations, whose result the list shows in its own place. */
export interface ConversationSearch extends Disposable {
  /** Undefined while nothing is searched for. */
  readonly query: ConversationQuery | undefined;
  /** What is found now. */
  find(query: ConversationQuery): SearchResult;
  /**
   * Asks what to search for; the list shows what is found while it is typed. Escape brings back what it showed before.
   * Gives whether Enter was pressed.
   */
  ask(): Promise<boolean>;
  /** Takes what is typed so far, as when one of the hits is chosen. */
  settle(): void;
  clear(): void;
  readonly onDidChange: Event<void>;
}

/** Milliseconds between two searches while somebody types: VS Code draws a list no more often. */
const searchEveryMs = 200;

export function createConversationSearch(history: Pick<History, 'search'>): ConversationSearch {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  let query: ConversationQuery | undefined;
  let accept = (_isEntered: boolean): void => {};

  function set(text: string): void {
    const words = wordsOf(text);
    if (text === (query?.text ?? '')) return;
    query = words.length === 0 ? undefined : { text, words };
    void setContext('parley.chat.searching', query !== undefined);
    changed.fire();
  }

  function ask(): Promise<boolean> {
    const before = query?.text ?? '';
    const box = window.createInputBox();
    const search = throttle(() => set(box.value), searchEveryMs);
    box.title = plain(l10n.t('Search Conversations'));
    box.placeholder = plain(l10n.t('Words of questions and answers, or a phrase in quotes'));
    box.value = before;
    // The list beside it can be scrolled and clicked meanwhile.
    box.ignoreFocusOut = true;
    const listening = [
      box.onDidChangeValue(search),
      changed.event(() => {
        box.prompt = plain(query === undefined ? '' : resultText(query, history.search(query.text)));
      }),
    ];
    return new Promise((resolve) => {
      let isKept = false;
      accept = (isEntered) => {
        isKept = true;
        set(box.value);
        resolve(isEntered);
        box.hide();
      };
      box.onDidAccept(() => accept(true));
      box.onDidHide(() => {
        accept = () => {};
        search.dispose();
        if (!isKept) set(before);
        resolve(false);
        for (const each of [...listening, box]) each.dispose();
      });
      box.show();
    });
  }

  return {
    get query() {
      return query;
    },
    find: ({ text }) => history.search(text),
    ask,
    settle: () => accept(false),
    clear: () => set(''),
    onDidChange: changed.event,
    dispose: () => owned.dispose(),
  };
}

/** What was found, in one sentence or two. */
export function resultText(
  { text }: ConversationQuery,
  { hits, inConversations, conversations, leftOut }: SearchResult,
): string {
  const shown = conversations.reduce((sum, { hits: { length }, isTitle }) => sum + length + Number(isTitle), 0);
  const cut = shown < hits ? l10n.t('The first {0} are shown.', shown) : '';
  const rest = leftOut > 0 ? l10n.t('The {0} oldest conversations are not searched.', leftOut) : '';
  return [countText(text, hits, inConversations), cut, rest].filter(Boolean).join(' ');
}

function countText(text: string, hits: number, conversations: number): string {
  if (conversations === 0) return l10n.t('Nothing found for “{0}”.', text);
  if (hits === 1) return l10n.t('1 hit for “{0}”.', text);
  if (conversations === 1) return l10n.t('{0} hits in one conversation for “{1}”.', hits, text);
  return l10n.t('{0} hits in {1} conversations for “{2}”.', hits, conversations, text);
}

import type { Disposable } from 'vscode';
import { Disposables } from '../../../../editor/disposables.ts';
import { firstColumns, laterColumns } from '../../../comparison/columns.ts';
import { type Action, answerOf, isGrowth } from '../../../conversation/conversation.ts';
import type { ShownConversation } from '../../conversations/shownConversation.ts';
import type { PanelView } from '../page/panelPage.ts';
import { columnVersion, createPageColumns, type PageColumns, versionsOf } from './pageColumns.ts';

/** The versions of one answer that a panel shows side by side. The host has the true state, as of the conversation. */
export interface Comparison extends Disposable {
  /** Shows an answer of the conversation and its other versions. */
  open(message: string): void;
  /** Does so as soon as one more version is begun. */
  openWithNext(message: string): void;
  close(): void;
  /** Shows another version in a column. */
  step(column: number, message: string): void;
  /** Shows one version alone, with which the conversation goes on. */
  goOnWith(message: string): Promise<void>;
  /** The page has drawn everything up to this number. */
  drawn(seq: number): void;
  /** Sends all to a page that is new. */
  resend(): void;
}

/**
 * Versions that are written at a time are shown side by side by themselves, once: whoever leaves them has them in the conversation.
 */
export function createComparison(shown: ShownConversation, post: PanelView['post']): Comparison {
  const owned = new Disposables();
  let open: PageColumns | undefined;
  /** The questions whose answers, as they are written now, were shown side by side by themselves. */
  const offered = new Set<string>();
  /** The answer whose next version is awaited. */
  let awaited: string | undefined;

  function show(question: string, about: string, isAskedFor: boolean): void {
    const versions = versionsOf(shown.conversation, question).map(columnVersion);
    const columns = laterColumns(firstColumns(versions, about), versions);
    if (columns.length === 0) {
      close();
      return;
    }
    const send: Parameters<typeof createPageColumns>[3] = (patches) => post({ type: 'columns', patches });
    open = createPageColumns(() => shown.conversation, question, columns, send);
    post({ type: 'comparison', comparison: open.all(), isAskedFor });
  }

  function close(): void {
    if (open === undefined) return;
    open = undefined;
    post({ type: 'comparison', isAskedFor: false });
  }

  const arrange = (columns: readonly string[]): void => {
    if (open?.arrange(columns) === false) close();
  };

  function take(action: Action): void {
    if (isGrowth(action)) open?.grow(action);
    else if (action.type === 'ask') close();
    else if (open !== undefined) arrange(open.columns);
    if (action.type === 'answer') offer(action.parent);
  }

  function offer(question: string): void {
    const wanted = awaited;
    awaited = undefined;
    if (wanted !== undefined && answerOf(shown.conversation, wanted)?.parent === question) {
      offered.add(question);
      show(question, wanted, false);
      return;
    }
    if (!shown.isBusy) return;
    const streaming = versionsOf(shown.conversation, question).filter(({ state }) => state === 'streaming');
    const [first] = streaming;
    if (streaming.length < 2) offered.delete(question);
    if (first === undefined || streaming.length < 2 || offered.has(question)) return;
    offered.add(question);
    if (open?.question !== question) show(question, first.id, false);
  }

  owned.add(shown.onDidTake(take));
  owned.add(shown.onDidSwitch(close));

  return {
    open(message) {
      const { parent: question } = answerOf(shown.conversation, message) ?? {};
      if (question !== undefined) show(question, message, true);
    },
    openWithNext(message) {
      awaited = message;
    },
    close,
    step(column, message) {
      const { columns = [] } = open ?? {};
      if (column < columns.length && !columns.includes(message)) arrange(columns.with(column, message));
    },
    async goOnWith(message) {
      close();
      await shown.change(undefined, (session) => session.choose(message));
    },
    drawn: (seq) => open?.drawn(seq),
    resend: () => open !== undefined && post({ type: 'comparison', comparison: open.all(), isAskedFor: false }),
    dispose: () => owned.dispose(),
  };
}

import { l10n, type QuickPickItem, ThemeIcon, window, workspace } from 'vscode';
import type { Services } from '../../editor/services.ts';
import { isCancelled } from '../../service/errors.ts';
import { findObstacle } from './obstacle.ts';
import { type Answer, type Hit, search } from './search.ts';
import type { SearchIndex } from './searchIndex.ts';
import { progressText, stateText, whyText } from './sentences.ts';

/** Pause in typing after which a question is asked, in milliseconds: each may cost a request. */
const pauseMs = 250;
const limit = 20;

interface HitItem extends QuickPickItem {
  hit?: Hit;
}

/** What the list does with its results. */
export interface QueryActions {
  open(hit: Hit): unknown;
  /** Keeps the list in the results view. */
  keep(query: string, answer: Answer): unknown;
}

/** The search for another extension: `(text, { limit, globs })`. Rejects with a sentence when there is nothing to search in. */
export async function searchForCaller(index: SearchIndex, text: string, options: unknown): Promise<Hit[]> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) throw Object.assign(new Error(obstacle.sentence), { code: obstacle.code });
  return (await search(index, { text, ...readOptions(options) })).hits;
}

function readOptions(options: unknown): { limit: number; globs: string[] } {
  const given: { limit?: unknown; globs?: unknown } = typeof options === 'object' && options !== null ? options : {};
  const globs = Array.isArray(given.globs) ? given.globs.filter((glob) => typeof glob === 'string') : [];
  const wanted = typeof given.limit === 'number' && given.limit >= 1 ? Math.floor(given.limit) : limit;
  return { limit: Math.min(wanted, 100), globs };
}

/** The search for a person: a list that fills as they type. Enter opens, the button keeps the list in the results view. */
export function showQuery(services: Services, index: SearchIndex, actions: QueryActions): void {
  const { notices } = services;
  const obstacle = findObstacle();
  if (obstacle !== undefined) {
    void notices.warn(obstacle.sentence, obstacle.action);
    return;
  }
  const keep = { iconPath: new ThemeIcon('list-tree'), tooltip: l10n.t('Keep the Results in the View') };
  const pick = window.createQuickPick<HitItem>();
  pick.title = l10n.t('Search Code by Meaning');
  pick.buttons = [keep];
  let answer: Answer | undefined;
  let asked: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;

  const showState = (): void => {
    const { phase, status } = index;
    if (phase.kind === 'reading') pick.placeholder = progressText(phase.progress);
    else if (status !== undefined && status.filesDone === undefined)
      pick.placeholder = l10n.t('Searching by keywords. Run Index Workspace to search by meaning.');
    else pick.placeholder = l10n.t('What does the code do?');
  };

  async function ask(text: string): Promise<void> {
    const controller = new AbortController();
    asked = controller;
    try {
      const found = await search(index, { text, limit, globs: [] }, controller.signal);
      if (controller.signal.aborted) return;
      answer = found;
      pick.items = found.hits.length > 0 ? found.hits.map(toItem) : [nothingFound(text)];
      pick.title = titleOf(found, index);
    } catch (error) {
      if (isCancelled(error) || controller.signal.aborted) return;
      pick.hide();
      void notices.error(error, () => showQuery(services, index, actions));
    } finally {
      if (asked === controller) pick.busy = false;
    }
  }

  pick.onDidChangeValue((value) => {
    clearTimeout(timer);
    asked?.abort();
    const text = value.trim();
    pick.busy = text !== '';
    if (text === '') pick.items = [];
    else timer = setTimeout(() => void ask(text), pauseMs);
  });
  pick.onDidAccept(() => {
    const hit = pick.selectedItems[0]?.hit;
    if (hit === undefined) return;
    pick.hide();
    actions.open(hit);
  });
  pick.onDidTriggerButton(() => {
    if (answer === undefined) return;
    actions.keep(pick.value.trim(), answer);
    pick.hide();
  });
  const listening = index.onDidChange(showState);
  pick.onDidHide(() => {
    clearTimeout(timer);
    asked?.abort();
    listening.dispose();
    pick.dispose();
  });
  showState();
  pick.show();
  // So that the first question finds the index ready; it sends nothing.
  index.prepare().then(showState, (error: unknown) => {
    pick.hide();
    void notices.error(error);
  });
}

function toItem(hit: Hit): HitItem {
  const path = workspace.asRelativePath(hit.uri);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, -name.length - 1);
  return {
    label: `${name}:${hit.line}`,
    description: [folder, whyText(hit.why)].filter(Boolean).join(' · '),
    detail: hit.preview,
    alwaysShow: true,
    hit,
  };
}

function nothingFound(text: string): HitItem {
  return { label: l10n.t('Nothing found for “{0}”', text), alwaysShow: true };
}

function titleOf({ by }: Answer, index: SearchIndex): string {
  const title = l10n.t('Search Code by Meaning');
  if (by === 'failed') return `${title} · ${l10n.t('the service did not answer, so by keywords')}`;
  return [title, stateText(index)].filter(Boolean).join(' · ');
}

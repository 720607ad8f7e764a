import { type Disposable, env, l10n } from 'vscode';
import { registerCommand } from '../../editor/commands.ts';
import { Disposables } from '../../editor/disposables.ts';
import { withProgress } from '../../editor/progress.ts';
import { relativeTime } from '../../editor/sentences/relativeTime.ts';
import type { Services } from '../../editor/services.ts';
import { onSettingChange, readSetting } from '../../editor/settings.ts';
import { createTextTabs } from '../../editor/text/textTabs.ts';
import { window } from '../../editor/text/window.ts';
import { Command } from '../../ids/ids.ts';
import { originOf } from '../../service/endpoint.ts';
import { safeUrl } from '../exchanges/copyAs.ts';
import { type Exchange, type ExchangeList, longestKept } from '../exchanges/exchangeList.ts';
import { exchangeText } from '../exchanges/exchangeText.ts';
import { copiesOf, draftOf, type UnsentRequest } from './copyRequest.ts';

/** The list of what this window has sent to services, and what came back. */
export function registerExchanges({ notices, client, keys }: Services, list: ExchangeList): Disposable {
  const owned = new Disposables();
  const tabs = owned.add(createTextTabs('parley-exchange'));
  let opened = 0;

  async function open(exchange: Exchange): Promise<void> {
    // An exchange that is under way is another text later, and a text keeps its address.
    opened++;
    const uri = tabs.keep(`${pathOf(exchange).replaceAll('/', ' ')}.md`, String(opened), textOf(exchange));
    await window.showTextDocument(uri, { preview: true });
  }

  async function sendAgain({ method, url, accept, key: then, body }: Exchange): Promise<void> {
    const json: { readonly body?: string } = body?.kind === 'json' ? { body: body.text } : {};
    const before = new Set(list.all.map(({ id }) => id));
    // A key that was removed since is not used again.
    const key = then && (await keys.get(originOf(url)));
    await withProgress(l10n.t('Sending {0} again', safeUrl({ url, key })), async (signal) => {
      const response = await client.transport.send({ method, url, accept, apiKey: key, ...json }, signal);
      let size = 0;
      for await (const bytes of response.body) {
        size += bytes.length;
        if (size > longestKept) break;
      }
    });
    // Something else may be sent meanwhile.
    const made = list.all.find((each) => !before.has(each.id) && each.url === url && textOfBody(each) === json.body);
    if (made !== undefined) await open(made);
  }

  /** Has the user copy, as code, a request that was not sent. */
  async function copyDraft({ title, url, body }: UnsentRequest): Promise<void> {
    const key = await keys.get(originOf(url));
    const sent = { method: 'POST', url, accept: '', key, body: { kind: 'json', text: body } } as const;
    const chosen = await window.showQuickPick(copiesOf(sent, notices), { title });
    await chosen?.run();
  }

  /** @param of the marks of the exchanges that are asked for, of which the first that is known counts; else all are shown */
  async function show(of: unknown): Promise<void> {
    const draft = draftOf(of);
    if (draft !== undefined) return copyDraft(draft);
    if (!readSetting('parley.exchanges.keep')) {
      return void notices.info(l10n.t('Exchanges are not kept: the setting {0} is off.', 'parley.exchanges.keep'));
    }
    if (list.all.length === 0 && tagsOf(of) === undefined)
      return void notices.info(l10n.t('This window has sent nothing yet.'));
    const tags = tagsOf(of);
    const tag = tags?.find((each) => list.all.some((exchange) => exchange.tag === each));
    const shown = tags === undefined ? list.all : list.all.filter((each) => tag !== undefined && each.tag === tag);
    const [only] = shown;
    if (only === undefined) return void notices.info(l10n.t('This exchange is not kept any more.'));
    if (tags !== undefined && shown.length === 1) return act(only);
    const chosen = await window.showQuickPick(
      shown.map((exchange) => ({ ...rowOf(exchange), exchange })),
      {
        title: l10n.t('Exchanges With Services'),
        placeHolder: l10n.t('What this window has sent, the newest first; it is in memory alone'),
        matchOnDescription: true,
        matchOnDetail: true,
      },
    );
    const exchange = chosen && list.find(chosen.exchange.id);
    if (exchange !== undefined) await act(exchange);
  }

  async function act(exchange: Exchange): Promise<void> {
    const action = await window.showQuickPick(actionsOf(exchange), { title: rowOf(exchange).label });
    await action?.run();
  }

  function actionsOf(exchange: Exchange) {
    const again = { label: l10n.t('Send Again'), run: () => sendAgain(exchange) };
    // The content of a file that was sent is not kept.
    return [
      { label: l10n.t('Open'), run: () => open(exchange) },
      ...copiesOf(exchange, notices),
      ...(exchange.body?.kind === 'form' || isEmptied(exchange) ? [] : [again]),
    ];
  }

  owned.add(registerCommand(Command.showExchanges, notices, show));
  owned.add(
    onSettingChange(['parley.exchanges.keep'], () => {
      if (!readSetting('parley.exchanges.keep')) list.clear();
    }),
  );
  return owned;
}

function tagsOf(of: unknown): readonly unknown[] | undefined {
  return typeof of === 'object' && of !== null && 'tags' in of && Array.isArray(of.tags) ? of.tags : undefined;
}

const textOfBody = ({ body }: Exchange): string | undefined => (body?.kind === 'json' ? body.text : undefined);

/** Whether the body of an older exchange has gone to make room. */
const isEmptied = ({ body }: Exchange): boolean => body?.kind === 'json' && body.text === '';

function rowOf(exchange: Exchange) {
  const { method, at, key, url } = exchange;
  const model = modelOf(exchange);
  return {
    label: `${method} ${pathOf(exchange)}`,
    description: [model, stateText(exchange), timesText(exchange)].filter(Boolean).join(' · '),
    detail: `${relativeTime(at, Date.now())} · ${safeUrl({ url, key })}`,
  };
}

/** The end of the path: `chat/completions`. */
function pathOf(exchange: Exchange): string {
  const path = URL.parse(safeUrl(exchange))?.pathname ?? '';
  return path.split('/').filter(Boolean).slice(-2).join('/').slice(0, 80) || 'request';
}

function modelOf({ body }: Exchange): string {
  if (body?.kind === 'form') return body.fields.find(([name]) => name === 'model')?.[1] ?? '';
  return /"model":"([^"\\]{1,100})"/.exec(body?.text ?? '')?.[1] ?? '';
}

function stateText({ state, status, failure }: Exchange): string {
  switch (state) {
    case 'running':
      return l10n.t('under way');
    case 'stopped':
      return l10n.t('stopped');
    case 'failed':
      return l10n.t('no answer ({0})', failure ?? '');
    case 'ended':
      return String(status ?? '');
  }
}

function timesText({ firstByteMs, totalMs }: Exchange): string {
  const seconds = (ms: number): string =>
    ms < 100
      ? l10n.t('{0} ms', Math.round(ms).toLocaleString(env.language))
      : l10n.t('{0} s', (ms / 1000).toLocaleString(env.language, { maximumFractionDigits: 2 }));
  if (totalMs === undefined) return '';
  return firstByteMs === undefined
    ? seconds(totalMs)
    : l10n.t('first byte after {0}, the end after {1}', seconds(firstByteMs), seconds(totalMs));
}

function textOf(exchange: Exchange): string {
  return exchangeText(exchange, {
    request: l10n.t('Request'),
    answer: l10n.t('Answer'),
    cut: l10n.t('The rest is not kept.'),
    none: l10n.t('Nothing has come.'),
    file: l10n.t('The content of the file is not kept.'),
    summary: [stateText(exchange), timesText(exchange)].filter(Boolean).join(' · '),
  });
}

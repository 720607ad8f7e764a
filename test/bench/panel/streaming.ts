import type { Page } from 'playwright-core';
import { tokenize } from '../../service/tokens.ts';
import { median } from '../client/statistics.ts';
import { type Row, toRow } from '../row.ts';
import { openChain, type Sent } from './chain.ts';
import { type Tasks, traceTasks } from './tasks.ts';
import { codeAnswer, codeOf, everything } from './texts.ts';
import { pageText, takeTurns, type Windows } from './windows.ts';

const tokensPerSecond = 2000;
/** Measured rounds, after one that warms up. */
const rounds = 3;
/** How often the host has new text for the panel, in milliseconds: as its session gathers it. */
const gatherMs = 40;
/** A task that takes longer holds up what the user does, in milliseconds: the browser's own bound for a long one. */
const longTask = 50;

const bench = 'panel';

interface Streamed extends Tasks {
  /** As `pageText` gives it. */
  readonly page: ReturnType<typeof pageText>;
  readonly sent: readonly Sent[];
}

/** An answer at 2,000 tokens a second, drawn by the panel over the whole way from the service, and by peers in the page alone. */
export async function measureStreaming(windows: Windows, tell: (text: string) => void): Promise<Row[]> {
  const answer = codeAnswer();
  tell('panel: 40 KB of Markdown with code, by Parley and by peers');
  const turns = await takeTurns<Streamed>(
    {
      Parley: () => streamByParley(windows, answer),
      'react-markdown': () => streamByPeer(windows, 'react-markdown', answer, 0),
      marked: () => streamByPeer(windows, 'marked', answer, 0),
      'react-markdown, memoised blocks': () => streamByPeer(windows, 'react-markdown, memoised blocks', answer, 0),
      'react-markdown every 40 ms': () => streamByPeer(windows, 'react-markdown', answer, gatherMs),
    },
    rounds,
  );
  tell('panel: 50 KB of everything');
  const { Parley: all = [] } = await takeTurns({ Parley: () => streamByParley(windows, everything()) }, rounds);
  const { Parley: parley = [], ...peers } = turns;
  return [
    ...taskRows('40 KB of Markdown with code', parley),
    ...Object.entries(peers).map(([name, streamed]) => timeRow(name, parley, streamed)),
    textRow(answer, parley, peers['react-markdown'] ?? []),
    ...taskRows('50 KB of everything', all),
    ...messageRows([...parley, ...all]),
  ];
}

async function streamByParley(windows: Windows, text: string): Promise<Streamed> {
  const page = await windows.open();
  const chain = await openChain(page, { tokensPerSecond });
  const before = chain.sent.length;
  const tasks = await traceTasks(page, () => chain.answer(text));
  const streamed = { ...tasks, page: await page.evaluate(pageText), sent: chain.sent.slice(before) };
  await chain.close();
  await page.close();
  return streamed;
}

async function streamByPeer(windows: Windows, name: string, text: string, every: number): Promise<Streamed> {
  const page = await windows.openPeers();
  const tasks = await traceTasks(page, () => feedPeer(page, name, tokenize(text), every));
  const streamed = { ...tasks, page: await page.evaluate(pageText), sent: [] };
  await page.close();
  return streamed;
}

declare global {
  /** `peersPage.js` */
  var streamToPeer: (name: string, tokens: string[], perSecond: number, every: number) => Promise<void>;
}

function feedPeer(page: Page, name: string, tokens: string[], every: number): Promise<void> {
  return page.evaluate(([peer, pieces, perSecond, ms]) => globalThis.streamToPeer(peer, pieces, perSecond, ms), [
    name,
    tokens,
    tokensPerSecond,
    every,
  ] as const);
}

const longest = (times: readonly number[]): number => Math.max(0, ...times);
const sum = (times: readonly number[]): number => times.reduce((before, time) => before + time, 0);

/** The longest task of a run, in the middle of all runs. By the processor's time, too: other processes may have held it up. */
function taskRows(what: string, streamed: readonly Streamed[]): Row[] {
  const goal = { of: 'value', is: '<=', bound: longTask } as const;
  const value = (times: (tasks: Tasks) => readonly number[]): number =>
    median(streamed.map((each) => longest(times(each))));
  return [
    toRow({ bench, metric: `${what}: longest task`, value: value(({ tookMs }) => tookMs), unit: 'ms', goal }),
    toRow({
      bench,
      metric: `${what}: longest task, time on the processor`,
      value: value(({ workedMs }) => workedMs),
      unit: 'ms',
      goal,
    }),
  ];
}

const timeGoals: Readonly<Record<string, number>> = { 'react-markdown': 0.1, marked: 0.5 };

function timeRow(name: string, parley: readonly Streamed[], peer: readonly Streamed[]): Row {
  const time = (streamed: readonly Streamed[]): number => median(streamed.map(({ workedMs }) => sum(workedMs)));
  const bound = timeGoals[name];
  return toRow({
    bench,
    metric: `40 KB of Markdown with code: time of the main thread, against ${name}`,
    value: time(parley),
    unit: 'ms',
    peer: { name, value: time(peer) },
    ...(bound === undefined ? {} : { goal: { of: 'ratio', is: '<=', bound } }),
  });
}

/** The text on the page is that of another way of drawing it, its code that of the source. */
function textRow(source: string, parley: readonly Streamed[], peer: readonly Streamed[]): Row {
  const wanted = peer[0]?.page.text ?? '';
  const codes = codeOf(source);
  const value = sum(
    parley.map(
      ({ page }) => differences(page.text, wanted) + sum(codes.map((code, i) => Number(page.codes[i] !== code))),
    ),
  );
  const goal = { of: 'value', is: '=', bound: 0 } as const;
  return toRow({ bench, metric: 'Text on the page that differs from the source', value, unit: 'characters', goal });
}

function differences(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, i) => Number(one[i] !== other[i])).reduce((before, each) => before + each, 0);
}

function messageRows(streamed: readonly Streamed[]): Row[] {
  const busiest = Math.max(...streamed.map(({ sent }) => busiestSecond(sent)));
  const bytes = Math.max(...streamed.flatMap(({ sent }) => sent.map((each) => each.bytes)));
  const most = (bound: number) => ({ of: 'value', is: '<=', bound }) as const;
  return [
    toRow({ bench, metric: 'Host to panel: messages in the busiest second', value: busiest, unit: '', goal: most(30) }),
    toRow({ bench, metric: 'Host to panel: longest message', value: bytes / 1024, unit: 'KB', goal: most(64) }),
  ];
}

/** The most messages that began within a second of each other. */
function busiestSecond(sent: readonly Sent[]): number {
  return Math.max(0, ...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + 1000).length));
}

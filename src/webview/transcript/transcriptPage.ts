import { element, labelButton } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import type { Strings } from '../shared/protocol/protocol.ts';
import type {
  FromTranscriptPanel,
  ToTranscriptPanel,
  TranscriptPlace,
  TranscriptState,
  TranscriptView,
} from '../shared/protocol/transcriptProtocol.ts';
import { type Actions, createActions, findButton, versionButtons } from './actions.ts';
import { createBesideToggle } from './besideToggle.ts';
import { type Checks, createChecks } from './checks/checks.ts';
import { copyLines } from './lines/copyLines.ts';
import { type Line, setSpeakers, toLines } from './lines/line.ts';
import { createLineEdits, type LineEdits } from './lines/lineEdits.ts';
import { createLineFind, type LineFind } from './lines/lineFind.ts';
import { createLineList, type LineList } from './lines/lineList.ts';
import { createLineTimes } from './lines/lineTimes.ts';
import { createPageContext, type PageContext } from './pageContext.ts';
import type { PageKeys } from './pageKeys.ts';
import { createHeardLine, type HeardLine } from './player/heardLine.ts';
import { createHeardWord } from './player/heardWord.ts';
import { createPlayer, type Player } from './player/player.ts';
import type { SoundDecoder } from './sound/soundDecoder.ts';

/** The page of a transcript that is shown. */
export interface TranscriptPage {
  readonly keys: PageKeys;
  /** What is being written, for the page that comes in the place of this one. */
  readonly edits: Pick<LineEdits, 'suspend' | 'resume'>;
  /** Puts into the clipboard what is selected. */
  copy(event: ClipboardEvent): void;
  receive(message: Exclude<ToTranscriptPanel, { type: 'show' | 'fail' }>): void;
}

/** What is kept of a page. */
export type KeptState = Pick<TranscriptState, 'place' | 'edits' | 'isBeside'>;

/** What the page is given by VS Code. */
export interface TranscriptHost {
  post(message: FromTranscriptPanel): void;
  /** Hears the recording; it outlives what is shown, so that nothing is decoded twice. */
  readonly sound: SoundDecoder;
  /** Keeps where the page is, and its edits, for when it is made again: VS Code throws it away while it is hidden. */
  save(kept: KeptState): void;
}

/**
 * Fills the page: what belongs to the recording stays in sight above, its lines scroll below.
 * @param kept what an earlier page has left
 */
export function createTranscriptPage(
  root: HTMLElement,
  strings: Strings,
  transcript: TranscriptView,
  kept: KeptState,
  { post, save, sound }: TranscriptHost,
): TranscriptPage {
  const live = element('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  const page = createPageContext(
    strings,
    live,
    { post, sound },
    {
      own: transcript.language,
      beside: transcript.beside?.language,
    },
  );
  const lines = toLines(transcript);
  const times = createLineTimes(lines);
  const player = createPlayer(page, transcript, times, {
    onTime(seconds) {
      heard.show(seconds);
      heardWord.show();
    },
    onCanPlay: () => list.redrawAll(),
    onFollow() {
      heard.follow();
      keepPlace();
    },
    onMove: keepPlace,
  });
  const list = createLineList(page, lines, lineActions, {
    onDraw() {
      find.mark();
      heardWord.show();
    },
    onMove: () => heard.stopFollowing(),
  });
  const heard = createHeardLine(page, { player, list, times, count: lines.length, onMove: keepPlace });
  const heardWord = createHeardWord(lines, list, player);
  const edits = createLineEdits(page, lines, list, kept.edits, {
    onEdit: () => find.search(),
    onTick: (line, isChecked) => checks.tick(line, isChecked),
    onHistory: (made) => save({ edits: made }),
  });
  const find = createLineFind(page, lines, list, transcript.segments.length > 0 ? edits.replace : undefined);
  const checks = createChecks(page, lines, list, { goTo: heard.goTo, tick: edits.tick });
  const beside = createBesideToggle(page, transcript, kept.isBeside === true, (isBeside) => {
    list.showBeside(isBeside);
    save({ isBeside });
  });
  const name = (line: number): void => askName(page, line, lines[line]);
  const isEmpty = lines.length === 0;
  const isTimed = transcript.segments.length > 0;
  const actions = createActions(page, isEmpty, isTimed, [
    ...(isEmpty ? [] : [findButton(page, find.open), checks.button]),
    ...(beside.button === undefined ? [] : [beside.button]),
    ...versionButtons(page, transcript),
  ]);

  root.replaceChildren(
    element('div', { class: 'head' }, header(transcript), ...note(page, transcript), player.element, actions.element),
    find.element,
    checks.panel,
    isEmpty ? empty(strings) : list.element,
    live,
  );
  showUnseen(root);
  list.showBeside(beside.isOn);
  if (kept.place !== undefined) goBack(kept.place, player, list);
  list.element.addEventListener('scrollend', keepPlace);

  function keepPlace(): void {
    const { seconds, speed, isFollowing } = player;
    save({ place: { seconds, speed, isFollowing, line: Math.max(0, list.first) } });
  }

  function lineActions() {
    const seek = (line: number): void => player.seek(times.spanOf(line)?.start ?? 0, true);
    return {
      seek: player.canPlay ? seek : undefined,
      edit: edits.begin,
      restore: edits.restore,
      tick: edits.tick,
      name,
    };
  }

  function play(seconds: number): void {
    post({ type: 'playing' });
    player.seek(seconds, true);
  }

  return {
    edits,
    copy: (event) => copyLines(event, lines, list),
    keys: keysOf({ player, heard, edits, find, checks, list, lines, name }),
    receive: receiveWith({ player, edits, checks, actions, play, goTo: heard.goTo, list, lines }),
  };
}

/** What the keys act on. */
interface KeyParts {
  readonly player: Player;
  readonly heard: HeardLine;
  readonly edits: LineEdits;
  readonly find: LineFind;
  readonly checks: Checks;
  readonly list: LineList;
  readonly lines: readonly Line[];
  name(line: number): void;
}

function keysOf({ player, heard, edits, find, checks, list, lines, name }: KeyParts): PageKeys {
  const isEmpty = lines.length === 0;
  const isTimed = lines[0]?.heard !== undefined;
  return {
    play: () => player.canPlay && player.toggle(),
    seekBy: (seconds) => player.canPlay && player.seekBy(seconds),
    stepLine: (by) => isTimed && heard.stepLine(by),
    loop: () => player.canPlay && player.toggleLoop(),
    follow: () => player.canPlay && player.follow(!player.isFollowing),
    edit: () => isTimed && edits.begin(list.active),
    undo: edits.undo,
    redo: edits.redo,
    find: () => !isEmpty && find.open(),
    replace: () => !isEmpty && find.openReplace(),
    stepCheck: checks.step,
    tick: () => lines[list.active]?.reason !== undefined && edits.tick(list.active),
    name: () => isTimed && name(list.active),
  };
}

/** Has the host ask who speaks in a line. */
function askName({ post }: PageContext, segment: number, line: Line | undefined): void {
  if (line?.heard !== undefined) post({ type: 'speaker', segment, start: line.heard.start, before: line.text });
}

/** What is told by the host. */
interface ToldParts {
  readonly player: Player;
  readonly edits: LineEdits;
  readonly checks: Checks;
  readonly actions: Actions;
  play(seconds: number): void;
  goTo(line: number): void;
  readonly list: LineList;
  readonly lines: readonly Line[];
}

function receiveWith({
  player,
  edits,
  checks,
  actions,
  play,
  goTo,
  list,
  lines,
}: ToldParts): TranscriptPage['receive'] {
  function name(speakers: readonly string[]): void {
    for (const line of setSpeakers(lines, speakers)) list.redraw(line);
  }

  return (message) => {
    if (message.type === 'peaks') player.showPeaks(message.peaks);
    else if (message.type === 'preparing') player.preparing(message.share);
    else if (message.type === 'playable') player.useCopy(message.player);
    else if (message.type === 'play') play(message.seconds);
    else if (message.type === 'goTo') goTo(message.segment);
    else if (message.type === 'speakers') name(message.speakers);
    else if (message.type === 'checks') checks.update(message.checks);
    else if (message.type === 'changed') edits.changed(message.lines);
    else actions.showCopied();
  };
}

function goBack({ seconds, speed, isFollowing, line }: TranscriptPlace, player: Player, list: LineList): void {
  player.follow(isFollowing);
  player.setSpeed(speed);
  if (seconds > 0) player.seek(seconds);
  list.reveal(line, 'top');
}

function header({ fileName, about }: TranscriptView): HTMLElement {
  return element('header', {}, element('h1', {}, fileName), element('p', { class: 'about' }, about));
}

/** The note that the text is not what was asked for. */
function note({ strings, post }: PageContext, { note: text }: TranscriptView): HTMLElement[] {
  if (text === undefined) return [];
  const open = labelButton(strings['openExtraFields'], 'settings-gear', () => post({ type: 'openExtraFields' }));
  open.className = 'button secondary';
  return [element('div', { class: 'note', role: 'note' }, element('p', {}, text), open)];
}

function empty(strings: Strings): HTMLElement {
  const sentence = element('p', { class: 'empty', text: strings['empty'] });
  return element('section', { class: 'text', 'aria-label': strings['transcript'] }, sentence);
}

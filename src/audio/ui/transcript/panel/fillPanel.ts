import { basename, dirname, extname } from 'node:path';
import { env, l10n, Uri, ViewColumn, type WebviewPanel, workspace } from 'vscode';
import type { Services } from '../../../../editor/services.ts';
import { window } from '../../../../editor/text/window.ts';
import { listen, resourceRoots, writePage } from '../../../../editor/webviewHost.ts';
import type {
  CheckView,
  FromTranscriptPanel,
  ToTranscriptPanel,
  TranscriptState,
} from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import type { ChosenTracks } from '../../../recording/chosenTracks.ts';
import type { Splitter } from '../../../split/splitter.ts';
import { changedSegments } from '../../../transcript/editTranscript.ts';
import { otherText, textIdOf } from '../../../transcript/textId.ts';
import { type Transcript, withPath } from '../../../transcript/transcript.ts';
import type { Transcripts } from '../transcripts.ts';
import { askSpeaker } from './askSpeaker.ts';
import type { DecodedSounds } from './decodedSounds.ts';
import { keepEdits, tellOther } from './keepEdit.ts';
import { createPagePlayer, type Playable } from './pagePlayer.ts';
import { pressButton } from './panelButtons.ts';
import { createPanelChecks } from './panelChecks.ts';
import { parseMessage, toView, transcriptStrings } from './panelMessages.ts';

/** What panels work with. */
export interface TranscriptPanelParts {
  readonly services: Services;
  readonly transcripts: Transcripts;
  readonly splitter: Splitter;
  /** The tracks that the user chose. */
  readonly tracks: ChosenTracks;
  /** The folder for copies of recordings that cannot be played as they are. */
  readonly copies: Uri;
  /** The player of a page has come to a segment; undefined: the page is not to be seen any more. */
  onHeard(id: string, segment: number | undefined): void;
}

/** A panel that shows a translation. */
export interface FilledPanel {
  /** Shows a newer translation. */
  update(transcript: Transcript): void;
  /** The other text of the recording is another one, or there is one now. */
  updateOther(): void;
  /** Goes to a segment, as soon as the page is there. */
  goTo(segment: number): void;
  /** Plays the recording from a time on, in seconds. */
  play(seconds: number): void;
}

/**
 * Fills a panel with a translation, for as long as it is open.
 * @param first the translation to show first; undefined: the one that is kept
 */
export function fillPanel(
  panel: WebviewPanel,
  state: TranscriptState,
  first: Transcript | undefined,
  parts: TranscriptPanelParts & { readonly sounds: DecodedSounds },
): FilledPanel {
  const { services, transcripts } = parts;
  const { extensionUri } = services.context;
  const { webview } = panel;
  const id = textIdOf(state);
  let transcript = first;
  let closed = false;
  /** Whether the page is there to be told something. VS Code throws it away while it is hidden. */
  let isDrawn = false;
  let wanted: number | undefined;
  const send = (message: ToTranscriptPanel): unknown => !closed && webview.postMessage(message);
  const places = createPanelChecks(id, parts, send);
  const player = createPagePlayer(webview, state, parts, send);
  webview.options = { enableScripts: true, localResourceRoots: rootsFor(extensionUri, parts.copies, state) };

  async function draw(): Promise<void> {
    transcript ??= await transcripts.get(id);
    const other = await transcripts.get(textIdOf(otherText(state)));
    const playable = await player.find();
    const versions = await transcripts.versionCount(id);
    send(drawing(transcript, state, playable, { checks: await places.first(transcript), versions }, other));
    isDrawn = true;
    if (wanted !== undefined) send({ type: 'goTo', segment: wanted });
    wanted = undefined;
    player.playWanted();
    if (transcript !== undefined && 'src' in playable) await player.sendPeaks();
  }

  async function receive(message: FromTranscriptPanel): Promise<void> {
    if (message.type === 'ready') await draw();
    else if (message.type === 'cannotPlay') await player.offerCopy();
    else if (message.type === 'edit') await edit(message);
    else if (message.type === 'tick') await places.tick(message);
    else if (message.type === 'speaker') await askSpeaker(message, id, transcripts);
    else if (message.type === 'decoded') player.decoded(message.bars);
    else if (message.type === 'playing') player.forgetWanted();
    else if (message.type === 'heard') parts.onHeard(id, message.segment);
    else if (await pressButton(message, transcript, state, parts)) send({ type: 'copied' });
  }

  async function edit(message: Extract<FromTranscriptPanel, { type: 'edit' }>): Promise<void> {
    const { segments, lost } = await keepEdits(message, id, parts);
    if (lost === undefined) return textsOf(transcript, segments).forEach(send);
    transcript = lost.other;
    await draw();
    await tellOther(lost.text);
  }

  /** Takes in an edit, wherever it was made: lines that changed are drawn again, or all where there are others now. */
  function follow(edited: Transcript): void {
    if (edited.sha256 !== state.sha256 || transcript === undefined) return;
    if (textIdOf(edited) !== id) return void draw();
    const changes = changesBetween(transcript, edited);
    transcript = edited;
    if (changes === undefined) return void draw();
    changes.forEach(send);
    void places.follow(edited);
  }

  const refused = (): void => services.log.warn('The transcript page sent a message that is none.');
  const listening = listen(webview, parseMessage, receive, refused);
  const following = transcripts.onDidChange(follow);
  panel.onDidChangeViewState(() => {
    isDrawn &&= panel.visible;
    if (!panel.visible) parts.onHeard(id, undefined);
  });
  panel.onDidDispose(() => {
    closed = true;
    parts.onHeard(id, undefined);
    player.dispose();
    listening.dispose();
    following.dispose();
  });
  writePage(webview, extensionUri, { script: 'transcript', language: env.language, title: panel.title, media: true });
  return {
    update(newer) {
      transcript = newer;
      void draw();
    },
    updateOther: () => void (isDrawn && draw()),
    goTo(segment) {
      wanted = segment;
      if (panel.visible && isDrawn) void draw();
    },
    play(seconds) {
      player.want(seconds);
      if (panel.visible && isDrawn) player.playWanted();
      // Not over the text that it is to be heard with.
      else panel.reveal(panel.viewColumn === window.activeTextEditor?.viewColumn ? ViewColumn.Beside : undefined, true);
    },
  };
}

/** What a page is told of an edit; undefined where all is to be drawn again: there are other lines now, or it is another version. */
function changesBetween(before: Transcript, after: Transcript): ToTranscriptPanel[] | undefined {
  const changed = before.createdAt === after.createdAt ? changedSegments(before, after) : undefined;
  if (changed === undefined) return undefined;
  const speakers = otherSpeakers(before, after);
  return [...textsOf(after, changed), ...(speakers === undefined ? [] : [{ type: 'speakers' as const, speakers }])];
}

/** What tells the page what lines are now. */
function textsOf(transcript: Transcript | undefined, segments: readonly number[]): ToTranscriptPanel[] {
  const lines = segments.flatMap((segment) => {
    const text = transcript?.segments?.[segment]?.text;
    return text === undefined ? [] : [{ segment, text }];
  });
  return lines.length === 0 ? [] : [{ type: 'changed', lines }];
}

/** Who speaks in each segment, where that is another one than before. */
function otherSpeakers(before: Transcript, after: Transcript): string[] | undefined {
  const [were, are] = [before, after].map(({ segments = [] }) => segments.map(({ speaker = '' }) => speaker));
  return are?.some((name, at) => name !== were?.[at]) ? are : undefined;
}

/** The page's own files, and the folders of the recording and of its copy where it may be played. */
function rootsFor(extensionUri: Uri, copies: Uri, { path }: TranscriptState): Uri[] {
  return [...resourceRoots(extensionUri), ...(workspace.isTrusted ? [Uri.file(dirname(path)), copies] : [])];
}

function drawing(
  transcript: Transcript | undefined,
  state: TranscriptState,
  playable: Playable,
  more: { readonly checks: readonly CheckView[]; readonly versions: number },
  other: Transcript | undefined,
): ToTranscriptPanel {
  const strings = transcriptStrings(extname(state.path), state.task);
  if (transcript === undefined) {
    const sentence =
      state.task === undefined
        ? l10n.t('The translation of this recording is no longer saved.')
        : l10n.t('The transcript of this recording is no longer saved.');
    return { type: 'fail', strings, fileName: basename(state.path), sentence };
  }
  const shown =
    'src' in playable
      ? { player: { src: playable.src, type: playable.type ?? transcript.playerType }, peaks: playable.bars }
      : playable;
  return {
    type: 'show',
    strings,
    transcript: { ...toView(withPath(transcript, state.path), state, other), ...more, ...shown },
  };
}

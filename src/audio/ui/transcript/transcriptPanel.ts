import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { commands, type Disposable, env, l10n, Uri, ViewColumn, type WebviewPanel, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { describeForLog } from '../../../editor/log.ts';
import type { Button } from '../../../editor/sentences/errorText.ts';
import type { Services } from '../../../editor/services.ts';
import { plain } from '../../../editor/text/plainText.ts';
import { window } from '../../../editor/text/window.ts';
import { listen, resourceRoots, writePage } from '../../../editor/webviewHost.ts';
import { Command, transcriptPanelType } from '../../../ids.ts';
import type {
  CheckView,
  FromTranscriptPanel,
  ToTranscriptPanel,
  TranscriptState,
} from '../../../webview/shared/transcriptProtocol.ts';
import { paragraphText, toPlainText } from '../../export/transcriptText.ts';
import { createPlayableCopy } from '../../split/playableCopy.ts';
import type { Splitter } from '../../split/splitter.ts';
import { changedSegments, editSegment, findSegment } from '../../transcript/editTranscript.ts';
import { type Transcript, withPath } from '../../transcript/transcript.ts';
import { exportTranslations } from './exportTranslations.ts';
import { findPeaks } from './findPeaks.ts';
import { parseMessage, parseState, toView, transcriptStrings } from './panelMessages.ts';
import { checksOf } from './qualityChecks.ts';
import { openExtraFields } from './transcriptNote.ts';
import type { Transcripts } from './transcripts.ts';

/** Shows translations, each in a panel of its own. */
export interface TranscriptPanels extends Disposable {
  /** @param path where the recording is now; a translation outlives a move of its recording */
  show(transcript: Transcript, path: string): void;
  /** Plays the recording from a time on, in its panel; the focus stays where it is. */
  play(transcript: Transcript, path: string, seconds: number): void;
}

/** What panels work with. */
export interface TranscriptPanelParts {
  readonly services: Services;
  readonly transcripts: Transcripts;
  readonly splitter: Splitter;
  /** The folder for copies of recordings that cannot be played as they are. */
  readonly copies: Uri;
  /** The player of a page has come to a segment; undefined: the page is not to be seen any more. */
  onHeard(sha256: string, segment: number | undefined): void;
}

/** A panel that is open. */
interface OpenPanel {
  readonly panel: WebviewPanel;
  /** Shows a newer translation. */
  update(transcript: Transcript): void;
  /** Plays the recording from a time on, in seconds. */
  play(seconds: number): void;
}

/** Copies that were asked for, so that each has a name of its own. */
let copies = 0;

export function registerPanels(parts: TranscriptPanelParts): TranscriptPanels {
  const owned = new Disposables();
  const open = new Map<string, OpenPanel>();

  function fill(panel: WebviewPanel, state: TranscriptState, first: Transcript | undefined): OpenPanel {
    const key = keyOf(state);
    const filled = { panel, ...fillPanel(panel, state, first, parts) };
    open.set(key, filled);
    panel.onDidDispose(() => open.delete(key));
    return filled;
  }

  function create(state: TranscriptState, transcript: Transcript, preserveFocus: boolean): OpenPanel {
    const viewColumn = preserveFocus ? ViewColumn.Beside : ViewColumn.Active;
    const place = { viewColumn, preserveFocus };
    return fill(window.createWebviewPanel(transcriptPanelType, plain(basename(state.path)), place), state, transcript);
  }

  owned.add(
    window.registerWebviewPanelSerializer(transcriptPanelType, {
      async deserializeWebviewPanel(panel, saved: unknown) {
        const state = parseState(saved);
        if (state === undefined || open.has(keyOf(state))) panel.dispose();
        else fill(panel, { sha256: state.sha256, path: state.path }, undefined);
      },
    }),
  );

  return {
    show(transcript, path) {
      const state = { sha256: transcript.sha256, path };
      const already = open.get(keyOf(state));
      if (already !== undefined) {
        already.update(transcript);
        already.panel.reveal();
        return;
      }
      create(state, transcript, false);
    },
    play(transcript, path, seconds) {
      const state = { sha256: transcript.sha256, path };
      const found = open.get(keyOf(state)) ?? create(state, transcript, true);
      found.play(seconds);
    },
    dispose: () => owned.dispose(),
  };
}

/**
 * Fills a panel with a translation, for as long as it is open.
 * @param first the translation to show first; undefined: the one that is kept
 */
function fillPanel(
  panel: WebviewPanel,
  state: TranscriptState,
  first: Transcript | undefined,
  parts: TranscriptPanelParts,
): Omit<OpenPanel, 'panel'> {
  const { services, transcripts } = parts;
  const { extensionUri } = services.context;
  const { webview } = panel;
  let transcript = first;
  let closed = false;
  /** Whether the page is there to be told something. VS Code throws it away while it is hidden. */
  let isDrawn = false;
  /** Where it is to be played from, until the page says that it was told: one that is moved to another group is loaded anew. */
  let playFrom: number | undefined;
  let peaks: Promise<readonly number[] | undefined> | undefined;
  const reading = new AbortController();
  const target = join(parts.copies.fsPath, `${state.sha256.slice(0, 16)}-${process.pid}-${++copies}`);
  const copy = createPlayableCopy(state.path, target, parts.splitter);
  webview.options = { enableScripts: true, localResourceRoots: rootsFor(extensionUri, parts.copies, state) };
  const send = (message: ToTranscriptPanel): unknown => !closed && webview.postMessage(message);

  async function draw(): Promise<void> {
    transcript ??= await transcripts.get(state.sha256);
    const player = await findPlayer(state);
    const checks = transcript === undefined ? [] : await checksOf(transcript);
    send(drawing(panel, transcript, state, player, checks));
    isDrawn = true;
    playWanted();
    if (transcript !== undefined && 'uri' in player) await drawPeaks();
  }

  function playWanted(): void {
    if (playFrom !== undefined) send({ type: 'play', seconds: playFrom });
  }

  /** The picture of the sound comes after the page: a long recording is read whole for it. */
  async function drawPeaks(): Promise<void> {
    peaks ??= findPeaks(state.path, parts.splitter, reading.signal);
    const found = await peaks;
    if (found !== undefined) send({ type: 'peaks', peaks: found });
  }

  async function offerCopy(): Promise<void> {
    if (!workspace.isTrusted) return;
    const made = await copy.get((share) => send({ type: 'preparing', share }));
    send({
      type: 'playable',
      player: made && { src: String(webview.asWebviewUri(Uri.file(made.path))), type: made.contentType },
    });
  }

  async function receive(message: FromTranscriptPanel): Promise<void> {
    if (message.type === 'ready') await draw();
    else if (message.type === 'cannotPlay') await offerCopy();
    else if (message.type === 'edit') await edit(message);
    else if (message.type === 'playing') playFrom = undefined;
    else if (message.type === 'heard') parts.onHeard(state.sha256, message.segment);
    else if (await act(message, transcript, state, services)) send({ type: 'copied' });
  }

  async function edit(message: Extract<FromTranscriptPanel, { type: 'edit' }>): Promise<void> {
    let { segment }: { segment: number | undefined } = message;
    try {
      const kept = await transcripts.edit(state.sha256, (now) => {
        // Another window, a document or another translation may have put another line there.
        segment = findSegment(now, message);
        return segment === undefined ? now : editSegment(now, segment, message.text, Date.now());
      });
      if (kept === undefined) void tellUnkept(message.text);
      else if (segment === undefined) return tellOther(kept, message.text);
    } catch (error) {
      services.log.error(describeForLog(error));
      void tellUnkept(message.text);
    }
    if (segment !== undefined) sendTexts([segment]);
  }

  /** Shows the translation as it is now, in which the line that was edited is another one. */
  async function tellOther(now: Transcript, text: string): Promise<void> {
    transcript = now;
    await draw();
    const sentence = l10n.t(
      'This translation was changed at another place meanwhile. It is shown as it is now, without your last edit.',
    );
    await offerText(sentence, text);
  }

  /** Tells the page what lines are now. */
  function sendTexts(segments: readonly number[]): void {
    const lines = segments.flatMap((segment) => {
      const text = transcript?.segments?.[segment]?.text;
      return text === undefined ? [] : [{ segment, text }];
    });
    if (lines.length > 0) send({ type: 'changed', lines });
  }

  /** Takes in an edit, wherever it was made: lines that changed are drawn again, or all where there are others now. */
  function follow(edited: Transcript): void {
    if (edited.sha256 !== state.sha256 || transcript === undefined) return;
    const changed = changedSegments(transcript, edited);
    transcript = edited;
    if (changed === undefined) void draw();
    else sendTexts(changed);
  }

  const refused = (): void => services.log.warn('The transcript page sent a message that is none.');
  const listening = listen(webview, parseMessage, receive, refused);
  const following = transcripts.onDidChange(follow);
  panel.onDidChangeViewState(() => {
    isDrawn &&= panel.visible;
    if (!panel.visible) parts.onHeard(state.sha256, undefined);
  });
  panel.onDidDispose(() => {
    closed = true;
    parts.onHeard(state.sha256, undefined);
    reading.abort();
    copy.dispose();
    listening.dispose();
    following.dispose();
  });
  writePage(webview, extensionUri, { script: 'transcript', language: env.language, title: panel.title, media: true });
  return {
    update(newer) {
      transcript = newer;
      void draw();
    },
    play(seconds) {
      playFrom = seconds;
      if (panel.visible && isDrawn) playWanted();
      // Not over the text that it is to be heard with.
      else panel.reveal(panel.viewColumn === window.activeTextEditor?.viewColumn ? ViewColumn.Beside : undefined, true);
    },
  };
}

const tellUnkept = (text: string): Promise<void> =>
  offerText(l10n.t('Your edit is not kept: the translation is not on the disk, or could not be written there.'), text);

/** Says why what the user wrote is not in the translation, and lets it be copied. */
async function offerText(sentence: string, text: string): Promise<void> {
  const copy = l10n.t('Copy Your Text');
  if ((await window.showWarningMessage(sentence, copy)) === copy) await env.clipboard.writeText(text);
}

const keyOf = ({ sha256, path }: TranscriptState): string => `${sha256} ${path}`;

/** The page's own files, and the folders of the recording and of its copy where it may be played. */
function rootsFor(extensionUri: Uri, copies: Uri, { path }: TranscriptState): Uri[] {
  return [...resourceRoots(extensionUri), ...(workspace.isTrusted ? [Uri.file(dirname(path)), copies] : [])];
}

function drawing(
  panel: WebviewPanel,
  transcript: Transcript | undefined,
  state: TranscriptState,
  player: Player,
  checks: readonly CheckView[],
): ToTranscriptPanel {
  const strings = transcriptStrings(extname(state.path));
  if (transcript === undefined) {
    const sentence = l10n.t('The translation of this recording is no longer saved.');
    return { type: 'fail', strings, fileName: basename(state.path), sentence };
  }
  const shown =
    'why' in player
      ? { noPlayer: player.why }
      : { player: { src: String(panel.webview.asWebviewUri(player.uri)), type: transcript.playerType } };
  return {
    type: 'show',
    strings,
    transcript: { ...toView(withPath(transcript, state.path), state), checks, ...shown },
  };
}

type Player = { uri: Uri } | { why: string };

/** The player for a recording. A decoder is no place for a file that is not trusted, and the file may be gone by now. */
async function findPlayer({ path }: TranscriptState): Promise<Player> {
  if (!workspace.isTrusted) return { why: l10n.t('Recordings are not played in Restricted Mode.') };
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return { why: l10n.t('The recording is no longer at its place.') };
  // The query makes a changed recording a new address, for the cache of webviews.
  return { uri: Uri.file(path).with({ query: `changed=${Math.floor(stats.mtimeMs)}` }) };
}

/** Carries out the button that was pressed. Gives whether something was copied. */
async function act(
  message: Exclude<FromTranscriptPanel, { type: 'ready' | 'edit' | 'heard' | 'cannotPlay' | 'playing' }>,
  transcript: Transcript | undefined,
  { path }: TranscriptState,
  services: Services,
): Promise<boolean> {
  const recording = Uri.file(path);
  try {
    if (message.type === 'translate') await commands.executeCommand(Command.audioTranslate, recording, [recording]);
    else if (message.type === 'openRecording') await openRecording(recording);
    else if (message.type === 'openExtraFields') await runAction(openExtraFields());
    else if (transcript === undefined) return false;
    else if (message.type === 'export') await exportTranslations([withPath(transcript, path)], services.notices);
    else await env.clipboard.writeText(message.as === 'times' ? toPlainText(transcript) : paragraphText(transcript));
    return message.type === 'copy';
  } catch (error) {
    void services.notices.error(error);
    return false;
  }
}

function runAction({ command, arguments: args = [] }: Button): Thenable<unknown> {
  return commands.executeCommand(command, ...args);
}

/** The program for such files, if VS Code runs on the machine of the file; else the file where it can be downloaded. */
async function openRecording(recording: Uri): Promise<void> {
  if (env.remoteName === undefined) await env.openExternal(recording);
  else await commands.executeCommand('revealInExplorer', recording);
}

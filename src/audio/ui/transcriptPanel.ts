import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { commands, type Disposable, env, l10n, Uri, ViewColumn, type WebviewPanel, workspace } from 'vscode';
import { Disposables } from '../../editor/disposables.ts';
import type { Button } from '../../editor/sentences/errorText.ts';
import type { Services } from '../../editor/services.ts';
import { plain } from '../../editor/text/plainText.ts';
import { window } from '../../editor/text/window.ts';
import { listen, resourceRoots, writePage } from '../../editor/webviewHost.ts';
import { Command, transcriptPanelType } from '../../ids.ts';
import type { FromTranscriptPanel, ToTranscriptPanel } from '../../webview/shared/protocol.ts';
import type { Journal } from '../journal.ts';
import type { Transcript } from '../transcript.ts';
import { parseMessage, parseState, type TranscriptState, toView, transcriptStrings } from './panelMessages.ts';
import { saveTranscript } from './saveTranscript.ts';
import { openExtraFields } from './transcriptNote.ts';

/** Shows translations, each in a panel of its own. */
export interface TranscriptPanels extends Disposable {
  /** @param path where the recording is now; a translation outlives a move of its recording */
  show(transcript: Transcript, path: string): void;
}

export function registerPanels(services: Services, journal: Journal): TranscriptPanels {
  const owned = new Disposables();
  const open = new Map<string, { panel: WebviewPanel; update(transcript: Transcript): void }>();

  function fill(panel: WebviewPanel, state: TranscriptState, first: Transcript | undefined): void {
    const key = keyOf(state);
    open.set(key, { panel, update: fillPanel(panel, state, first, services, journal) });
    panel.onDidDispose(() => open.delete(key));
  }

  owned.add(
    window.registerWebviewPanelSerializer(transcriptPanelType, {
      async deserializeWebviewPanel(panel, saved: unknown) {
        const state = parseState(saved);
        if (state === undefined || open.has(keyOf(state))) panel.dispose();
        else fill(panel, state, undefined);
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
      const panel = window.createWebviewPanel(transcriptPanelType, plain(transcript.fileName), ViewColumn.Active);
      fill(panel, state, transcript);
    },
    dispose: () => owned.dispose(),
  };
}

/**
 * Fills a panel with a translation, for as long as it is open.
 * @param first the translation to show first; undefined: the one that is kept
 * @returns shows a newer one
 */
function fillPanel(
  panel: WebviewPanel,
  state: TranscriptState,
  first: Transcript | undefined,
  services: Services,
  journal: Journal,
): (newer: Transcript) => void {
  const { extensionUri } = services.context;
  const { webview } = panel;
  let transcript = first;
  let closed = false;
  webview.options = { enableScripts: true, localResourceRoots: rootsFor(extensionUri, state) };
  const send = (message: ToTranscriptPanel): unknown => !closed && webview.postMessage(message);

  async function draw(): Promise<void> {
    transcript ??= await journal.get(state.sha256);
    const player = await findPlayer(state);
    if (!closed) send(drawing(panel, transcript, state, player));
  }

  async function receive(message: FromTranscriptPanel): Promise<void> {
    if (message.type === 'ready') await draw();
    else if (await act(message, transcript, state, services)) send({ type: 'copied' });
  }

  const refused = (): void => services.log.warn('The transcript page sent a message that is none.');
  const listening = listen(webview, parseMessage, receive, refused);
  panel.onDidDispose(() => {
    closed = true;
    listening.dispose();
  });
  writePage(webview, extensionUri, { script: 'transcript', language: env.language, title: panel.title, media: true });
  return (newer) => {
    transcript = newer;
    void draw();
  };
}

const keyOf = ({ sha256, path }: TranscriptState): string => `${sha256} ${path}`;

/** The page's own files, and the folder of the recording where it may be played. */
function rootsFor(extensionUri: Uri, { path }: TranscriptState): Uri[] {
  return [...resourceRoots(extensionUri), ...(workspace.isTrusted ? [Uri.file(dirname(path))] : [])];
}

function drawing(
  panel: WebviewPanel,
  transcript: Transcript | undefined,
  state: TranscriptState,
  player: Player,
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
  return { type: 'show', strings, transcript: { ...toView(transcript, state), ...shown } };
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
  message: Exclude<FromTranscriptPanel, { type: 'ready' }>,
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
    else if (message.type === 'save') await saveTranscript(transcript, recording, message.format, services.notices);
    else await env.clipboard.writeText(transcript.text);
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

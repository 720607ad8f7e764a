import { basename } from 'node:path';
import { type Disposable, l10n, Uri, ViewColumn, type WebviewPanel } from 'vscode';
import { Disposables } from '../../../../editor/disposables.ts';
import { plain } from '../../../../editor/text/plainText.ts';
import { window } from '../../../../editor/text/window.ts';
import { transcriptPanelType } from '../../../../ids/ids.ts';
import type { TranscriptState } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { otherText, type TextName, textIdOf } from '../../../transcript/textId.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import { createDecodedSounds } from './decodedSounds.ts';
import { type FilledPanel, fillPanel, type TranscriptPanelParts } from './fillPanel.ts';
import { parseState } from './panelMessages.ts';

/** Shows translations, each in a panel of its own. */
export interface TranscriptPanels extends Disposable {
  /** @param path where the recording is now; a translation outlives a move of its recording */
  show(transcript: Transcript, path: string): void;
  /** The same, at a segment. */
  showAt(transcript: Transcript, path: string, segment: number | undefined): void;
  /** Plays the recording from a time on, in its panel; the focus stays where it is. */
  play(transcript: Transcript, path: string, seconds: number): void;
  /** A text was saved: the pages of the other text of its recording show it beside theirs. */
  textSaved(text: TextName): void;
}

interface OpenPanel extends FilledPanel {
  readonly panel: WebviewPanel;
}

export function registerPanels(parts: TranscriptPanelParts): TranscriptPanels {
  const owned = new Disposables();
  const open = new Map<string, OpenPanel>();
  const sounds = createDecodedSounds();

  function fill(panel: WebviewPanel, state: TranscriptState, first: Transcript | undefined): OpenPanel {
    const key = keyOf(state);
    const icon = (theme: string): Uri =>
      Uri.joinPath(parts.services.context.extensionUri, 'media', `translation-${theme}.svg`);
    panel.title = titleOf(state);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const filled = { panel, ...fillPanel(panel, state, first, { ...parts, sounds }) };
    open.set(key, filled);
    panel.onDidDispose(() => open.delete(key));
    return filled;
  }

  function create(state: TranscriptState, transcript: Transcript, preserveFocus: boolean): OpenPanel {
    const viewColumn = preserveFocus ? ViewColumn.Beside : ViewColumn.Active;
    const place = { viewColumn, preserveFocus };
    return fill(window.createWebviewPanel(transcriptPanelType, titleOf(state), place), state, transcript);
  }

  owned.add(
    parts.services.give(transcriptPanelType, {
      async deserializeWebviewPanel(panel, saved: unknown) {
        const state = parseState(saved);
        if (state === undefined || open.has(keyOf(state))) panel.dispose();
        else fill(panel, stateOf(state, state.path), undefined);
      },
    }),
  );

  function show(transcript: Transcript, path: string): OpenPanel {
    const state = stateOf(transcript, path);
    const already = open.get(keyOf(state));
    if (already === undefined) return create(state, transcript, false);
    already.update(transcript);
    already.panel.reveal();
    return already;
  }

  return {
    show: (transcript, path) => void show(transcript, path),
    showAt(transcript, path, segment) {
      const shown = show(transcript, path);
      if (segment !== undefined) shown.goTo(segment);
    },
    play(transcript, path, seconds) {
      const state = stateOf(transcript, path);
      const found = open.get(keyOf(state)) ?? create(state, transcript, true);
      found.play(seconds);
    },
    textSaved(text) {
      const id = textIdOf(otherText(text));
      for (const [key, each] of open) if (key.startsWith(`${id} `)) each.updateOther();
    },
    dispose: () => owned.dispose(),
  };
}

const keyOf = (state: TranscriptState): string => `${textIdOf(state)} ${state.path}`;

const stateOf = ({ sha256, task }: TextName, path: string): TranscriptState =>
  task === undefined ? { sha256, path } : { sha256, path, task };

/** The name of the tab: the recording itself may be open beside it. */
const titleOf = ({ path, task }: TranscriptState) =>
  plain(task === undefined ? l10n.t('{0} – Translation', basename(path)) : l10n.t('{0} – Transcript', basename(path)));

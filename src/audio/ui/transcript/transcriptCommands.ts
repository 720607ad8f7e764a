import { existsSync } from 'node:fs';
import { commands, type Disposable, l10n, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Services } from '../../../editor/services.ts';
import { window } from '../../../editor/text/window.ts';
import { Command, type CommandId } from '../../../ids/ids.ts';
import { type DocumentFormat, documentFormats, readDocument } from '../../document/transcriptDocument.ts';
import { paragraphText, toPlainText } from '../../export/transcriptText.ts';
import { identify } from '../../recording/recording.ts';
import { otherText, textIdOf } from '../../transcript/textId.ts';
import { type Transcript, withPath } from '../../transcript/transcript.ts';
import { timedSegments } from '../../transcript/transcriptBlocks.ts';
import { exportTranslations } from './exportTranslations.ts';
import type { TranscriptPanels } from './panel/transcriptPanels.ts';
import { pickTranscript } from './pickTranscript.ts';
import { pickVersion } from './pickVersion.ts';
import { readUri, type TranscriptDocuments } from './transcriptDocuments.ts';
import { listTexts, type TextStores, type Transcripts, textOf } from './transcripts.ts';

/** What the commands work with. */
interface CommandParts {
  readonly services: Services;
  readonly stores: TextStores;
  readonly documents: TranscriptDocuments;
  readonly panels: TranscriptPanels;
  readonly transcripts: Transcripts;
}

/**
 * The commands on a translation: of the recording that is given by its address, by a row of the list, or by the hash of its bytes; else
 * of one that the user picks.
 */
export function registerTranscriptCommands({
  services,
  stores,
  documents,
  panels,
  transcripts,
}: CommandParts): Disposable {
  const owned = new Disposables();
  const { notices } = services;

  async function transcriptOf(argument: unknown): Promise<Transcript | undefined> {
    if (typeof argument === 'string') return textOf(stores, argument);
    const isRow = typeof argument === 'object' && argument !== null && 'path' in argument;
    const path = argument instanceof Uri ? argument.fsPath : isRow ? argument.path : undefined;
    if (typeof path !== 'string') return pick();
    const found = await findText(path, isRow && 'task' in argument ? argument.task : undefined);
    if (found === undefined) void notices.info(l10n.t('This recording is not translated yet.'));
    return found;
  }

  /** The translation of a recording, or where there is none, what is said as it is spoken; the latter where that is wanted. */
  async function findText(path: string, task?: unknown): Promise<Transcript | undefined> {
    const file = await identify(path);
    const wanted = task === 'transcribe' ? ([task] as const) : (['translate', 'transcribe'] as const);
    for (const each of file === undefined ? [] : wanted) {
      const found = file && (await stores[each].journal.find(file));
      if (found !== undefined) return withPath(found, path);
    }
    return undefined;
  }

  async function pick(): Promise<Transcript | undefined> {
    const all = await listTexts(stores);
    if (all.length === 0) void notices.info(l10n.t('No recording is translated yet.'));
    return all.length === 0 ? undefined : pickTranscript(all);
  }

  function add(command: CommandId, run: (transcript: Transcript) => unknown): void {
    owned.add(
      registerCommand(command, notices, async (argument: unknown) => {
        const transcript = await transcriptOf(argument);
        return transcript && run(transcript);
      }),
    );
  }

  add(Command.audioEditAsText, async (transcript) => {
    const format = await pickFormat(transcript);
    if (format !== undefined) await documents.open(transcript, format);
  });
  add(Command.audioInsert, (transcript) => insert(paragraphText(transcript)));
  add(Command.audioInsertTimes, (transcript) => insert(toPlainText(transcript).trimEnd()));
  add(Command.audioVersions, async (transcript) => {
    const used = await pickVersion(transcript, transcripts, notices);
    if (used !== undefined) panels.show(used, transcript.path);
  });
  add(Command.audioAddToChat, (transcript) =>
    commands.executeCommand(Command.contextAdd, documents.uriOf(transcript, 'md')),
  );

  owned.add(
    registerCommand(Command.audioPlayLine, notices, async () => {
      const { document, selection } = window.activeTextEditor ?? {};
      const named = document && readUri(document.uri);
      const transcript = named && (await textOf(stores, named.id));
      if (document === undefined || named === undefined || transcript === undefined) return;
      const { segments } = await readDocument(document.getText(), named.format, new AbortController().signal);
      const line = selection?.active.line ?? 0;
      const start = (segments.findLast(({ lines }) => lines.first <= line) ?? segments[0])?.start ?? 0;
      const { recording = transcript.path } = named;
      panels.play(transcript, existsSync(recording) ? recording : transcript.path, start);
    }),
  );

  async function insert(text: string): Promise<void> {
    const editor = window.activeTextEditor;
    if (editor === undefined) return notices.warn(l10n.t('No editor is open to insert into.'));
    await editor.edit((builder) => {
      for (const selection of editor.selections) builder.replace(selection, text);
    });
  }

  owned.add(
    registerCommand(Command.audioExport, notices, async (argument: unknown, all: unknown) => {
      const uris = Array.isArray(all) ? all.filter((each) => each instanceof Uri) : [];
      if (uris.length < 2) {
        const transcript = await transcriptOf(argument);
        const other = transcript && (await textOf(stores, textIdOf(otherText(transcript))));
        return transcript && exportTranslations([transcript], notices, other);
      }
      const found = await Promise.all(uris.map(({ fsPath }) => findText(fsPath)));
      const transcripts = found.filter((each) => each !== undefined);
      const missing = found.length - transcripts.length;
      if (transcripts.length === 0) void notices.info(l10n.t('None of these recordings is translated yet.'));
      else if (missing > 0) void notices.info(l10n.t('Not translated yet, and left out: {0}.', missing));
      await exportTranslations(transcripts, notices);
    }),
  );
  return owned;
}

/** The form in which a transcript is edited; one without times has but one. */
async function pickFormat(transcript: Transcript): Promise<DocumentFormat | undefined> {
  if (timedSegments(transcript) === undefined) return 'md';
  const labels: Readonly<Record<DocumentFormat, string>> = {
    md: 'Markdown',
    srt: l10n.t('SubRip Subtitles'),
    vtt: l10n.t('WebVTT Subtitles'),
  };
  const items = documentFormats.map((format) => ({ label: labels[format], description: `.${format}`, format }));
  return (await window.showQuickPick(items, { title: l10n.t('Edit as Text') }))?.format;
}

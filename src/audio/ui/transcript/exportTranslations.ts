import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { l10n, type QuickPickItem, Uri, workspace } from 'vscode';
import type { Notices } from '../../../editor/notices.ts';
import { withLateProgress } from '../../../editor/progress.ts';
import { openSettings } from '../../../editor/sentences/errorButtons.ts';
import { readSetting } from '../../../editor/settings.ts';
import { window } from '../../../editor/text/window.ts';
import { type BothTexts, bothTexts, exportBoth } from '../../export/exportBoth.ts';
import { type Exported, type ExportFormat, exportFile } from '../../export/exportTranscripts.ts';
import { checkPattern, fillPattern } from '../../export/namePattern.ts';
import { planExport } from '../../export/planExport.ts';
import { languageCode } from '../../transcript/languageNames.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import { aboutTranscript } from './aboutTranscript.ts';

/** A form in which transcripts are written. */
interface Form extends QuickPickItem {
  readonly format: ExportFormat;
  readonly times: boolean;
  /** Whether both texts of the recording are in it. */
  readonly isBilingual?: true;
}

function forms(hasBoth: boolean): Form[] {
  const both = { label: l10n.t('SubRip Subtitles in Two Lines'), detail: l10n.t('What is spoken, over the English.') };
  return [
    { label: l10n.t('Text'), description: '.txt', format: 'txt', times: false },
    { label: l10n.t('Text with Times'), description: '.txt', format: 'txt', times: true },
    { label: 'Markdown', description: '.md', format: 'md', times: false },
    { label: l10n.t('Markdown with Times'), description: '.md', format: 'md', times: true },
    { label: l10n.t('Word'), description: '.docx', format: 'docx', times: false },
    { label: l10n.t('Word with Times'), description: '.docx', format: 'docx', times: true },
    { label: l10n.t('SubRip Subtitles'), description: '.srt', format: 'srt', times: true },
    ...(hasBoth ? [{ ...both, description: '.srt', format: 'srt', times: true, isBilingual: true } as const] : []),
    { label: l10n.t('WebVTT Subtitles'), description: '.vtt', format: 'vtt', times: true },
    { label: 'JSON', description: '.json', format: 'json', times: true },
    { label: 'CSV', description: '.csv', format: 'csv', times: true },
  ];
}

/**
 * Asks for a form and a place, and writes transcripts there: one file, or one beside each recording.
 * @param otherText of the recording, where there is one transcript
 */
export async function exportTranslations(
  transcripts: readonly Transcript[],
  notices: Notices,
  otherText?: Transcript,
): Promise<void> {
  const [first, ...others] = transcripts;
  if (first === undefined) return;
  const both = otherText && bothTexts(first, otherText);
  const form = await window.showQuickPick(forms(both !== undefined), { title: l10n.t('Export Translation') });
  if (form === undefined) return;
  const pattern = readSetting('parley.audio.exportName');
  if (checkPattern(pattern) !== undefined) {
    const sentence = l10n.t(
      'A name for exported files has {name} and {ext} in it, and no folder; the setting says “{0}”.',
      pattern,
    );
    return notices.warn(sentence, openSettings(l10n.t('Open Setting'), 'parley.audio.exportName'));
  }
  if (others.length === 0) return exportOne([first], form, pattern, notices, form.isBilingual && both);
  const isSubtitle = form.format === 'srt' || form.format === 'vtt';
  const each = {
    label: l10n.t('One File for Each'),
    detail: l10n.t('Beside its recording; files that are there are left alone.'),
  };
  const all = { label: l10n.t('One File for All') };
  // Subtitles are of one recording.
  const chosen = isSubtitle ? each : await window.showQuickPick([each, all], { title: l10n.t('Export Translation') });
  if (chosen === all) await exportOne(transcripts, form, pattern, notices);
  else if (chosen === each) await exportEach(transcripts, form, pattern, notices);
}

function nameFor(transcript: Transcript, format: ExportFormat, pattern: string): string {
  const { fileName, createdAt, untranslated, task, language } = transcript;
  const other = task === undefined ? untranslated?.language : language;
  const isEnglish = task === undefined && untranslated === undefined;
  const lang = isEnglish ? 'en' : (languageCode(other ?? '') ?? other ?? 'und');
  const name = basename(fileName, extname(fileName));
  return fillPattern(pattern, { name, ext: format, lang, date: createdAt.slice(0, 10) });
}

async function exportOne(
  transcripts: readonly Transcript[],
  form: Form,
  pattern: string,
  notices: Notices,
  both?: BothTexts,
): Promise<void> {
  const [first] = transcripts;
  if (first === undefined) return;
  const exported = both === undefined ? await write(transcripts, form) : await writeBoth(both);
  if ('refused' in exported) return refuse(exported, notices);
  const target = await window.showSaveDialog({
    title: l10n.t('Export Translation'),
    defaultUri: Uri.file(join(dirname(first.path), nameFor(first, form.format, pattern))),
    filters: { [form.label]: [form.format] },
  });
  if (target === undefined || !(await save(target, exported.content, notices))) return;
  void notices.info(l10n.t('{0} is saved.', basename(target.path)), {
    title: l10n.t('Open'),
    command: 'vscode.open',
    arguments: [target],
  });
}

async function exportEach(
  transcripts: readonly Transcript[],
  form: Form,
  pattern: string,
  notices: Notices,
): Promise<void> {
  const targets = transcripts.map((source) => ({
    source,
    path: join(dirname(source.path), nameFor(source, form.format, pattern)),
  }));
  const { open, done, clashing } = planExport(targets, existsSync);
  let written = 0;
  const refused = { untimed: 0, silent: 0 };
  for (const { source, path } of open) {
    const exported = await write([source], form);
    if ('refused' in exported) refused[exported.refused === 'no-speech' ? 'silent' : 'untimed']++;
    else if (await save(Uri.file(path), exported.content, notices)) written++;
    else return;
  }
  const left = done.length + clashing.length;
  const sentences = [
    l10n.t('Files written: {0}.', written),
    ...(left > 0 ? [l10n.t('Left alone, as a file of that name is there: {0}.', left)] : []),
    ...(refused.untimed > 0 ? [l10n.t('Without times, and so no subtitles: {0}.', refused.untimed)] : []),
    ...(refused.silent > 0 ? [l10n.t('Without speech, and so no subtitles: {0}.', refused.silent)] : []),
  ];
  void notices.info(sentences.join(' '));
}

function writeBoth(both: BothTexts): Promise<Exported> {
  return withLateProgress(l10n.t('Writing translations…'), (signal) => exportBoth(both, signal));
}

function write(transcripts: readonly Transcript[], { format, times }: Form): Promise<Exported<string | Uint8Array>> {
  return withLateProgress(l10n.t('Writing translations…'), (signal) =>
    exportFile(transcripts, format, { times, about: aboutTranscript }, signal),
  );
}

function refuse({ fileName, refused }: Extract<Exported, { refused: unknown }>, notices: Notices): void {
  if (refused === 'no-speech') {
    void notices.warn(l10n.t('No speech was found in {0}, so it has no subtitles.', fileName));
    return;
  }
  void notices.warn(
    l10n.t(
      'The service gave no times for {0}, so it has no subtitles. It may give them where it is asked for verbose_json.',
      fileName,
    ),
    openSettings(l10n.t('Open Setting'), 'parley.audio.responseFormat'),
  );
}

async function save(target: Uri, content: string | Uint8Array, notices: Notices): Promise<boolean> {
  try {
    await workspace.fs.writeFile(target, Buffer.from(content));
    return true;
  } catch {
    void notices.warn(l10n.t('{0} could not be written; pick another place for it.', target.fsPath));
    return false;
  }
}

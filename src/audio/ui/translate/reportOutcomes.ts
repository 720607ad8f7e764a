import { basename } from 'node:path';
import { commands, l10n, Uri } from 'vscode';
import type { Button } from '../../../editor/sentences/errorButtons.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { window } from '../../../editor/text/window.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import { jobKey, keyOf } from '../../jobs/audioJob.ts';
import type { TranslationOutcome } from '../../jobs/translate.ts';
import { hasSpeech } from '../../transcript/transcript.ts';
import type { AudioParts } from '../audioServices.ts';
import { failureText, isOfPieces } from '../jobs/jobText.ts';
import { type TaskText, taskText } from '../tasks/taskText.ts';
import { pickTranscript } from '../transcript/pickTranscript.ts';
import { openExtraFields, transcriptNote } from '../transcript/transcriptNote.ts';

type Done = Extract<TranslationOutcome, { transcript: unknown }>;
type Failed = Extract<TranslationOutcome, { error: unknown }>;

/** Opens the first result, lists the others, and names texts that are no translation, and failures with a way to retry. */
export function reportOutcomes(
  outcomes: readonly TranslationOutcome[],
  stopped: boolean,
  { services, panels, jobs, task }: AudioParts,
): void {
  const { notices } = services;
  const text = taskText(task);
  const done = outcomes.filter((outcome): outcome is Done => 'transcript' in outcome);
  const failed = outcomes.filter((outcome): outcome is Failed => 'error' in outcome);
  const [first] = done;
  if (first !== undefined) panels.show(first.transcript, first.path);
  if (done.some((outcome) => 'unsaved' in outcome)) {
    void notices.warn(l10n.t('The text could not be kept on this disk; save it as a file before you close it.'));
  }
  // The notice is not awaited: it stays until the user closes it.
  for (const { path } of done.filter(({ changed }) => changed)) void reportChanged(path, notices, text);
  void reportUntranslated(done, notices);
  if (failed.length > 0) void reportFailed(failed, outcomes.length, { jobs, notices, task });
  if (done.length > 1 || (stopped && done.length > 0)) void offerOthers(done, stopped, panels, text);
}

type Notices = AudioParts['services']['notices'];

const again = (title: string, uris: readonly Uri[], { command }: TaskText): Button => ({
  title,
  command,
  arguments: [uris[0], uris],
});

async function reportChanged(path: string, notices: Notices, text: TaskText): Promise<void> {
  await notices.warn(
    l10n.t('{0} changed while it was sent, so its text is shown and not kept.', basename(path)),
    again(text.again, [Uri.file(path)], text),
  );
}

async function reportUntranslated(done: readonly Done[], notices: Notices): Promise<void> {
  const silent = done.filter(({ transcript }) => !hasSpeech(transcript));
  if (silent.length > 0) void notices.info(l10n.t('No speech was found in {0}.', namesOf(silent)));
  const others = done.filter(({ transcript }) => transcript.untranslated !== undefined || transcript.isTranslated);
  const note = others[0] && transcriptNote(others[0].transcript);
  if (note !== undefined) await notices.warn(`${namesOf(others)}: ${note}`, openExtraFields());
}

async function reportFailed(
  failed: readonly Failed[],
  count: number,
  { jobs, notices, task }: { jobs: AudioParts['jobs']; notices: Notices; task: AudioTask },
): Promise<void> {
  const [first] = failed;
  const text = taskText(task);
  if (first === undefined) return;
  const uris = failed.map(({ path }) => Uri.file(path));
  const retry = (): unknown => commands.executeCommand(text.command, uris[0], uris);
  const { progress } = jobs.all.find((job) => keyOf(job) === jobKey(first.path, task)) ?? {};
  const failure = { error: first.error, ...(progress && { progress }) };
  if (count === 1 && isOfPieces(failure)) {
    const sentence = `${basename(first.path)}: ${failureText(failure)}`;
    return notices.warn(sentence, again(l10n.t('Retry'), uris, text), [first.error.kind]);
  }
  if (count === 1) return notices.error(first.error, retry);
  await notices.warn(text.failedText(failed.length, count, reasonsOf(failed)), again(l10n.t('Retry'), uris, text));
}

/** The reasons, each once, after the names of the recordings they apply to. */
function reasonsOf(failed: readonly Failed[]): string {
  const bySentence = new Map<string, Failed[]>();
  for (const each of failed) {
    const { sentence } = errorText(each.error);
    bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), each]);
  }
  const [only] = bySentence.keys();
  if (only !== undefined && bySentence.size === 1 && !isNamedIn(only, failed)) return `${namesOf(failed)}. ${only}`;
  // A sentence that has the name of its recording is not told after it once more.
  const reasons = [...bySentence].map(([sentence, met]) =>
    isNamedIn(sentence, met) ? sentence : `${namesOf(met)}: ${sentence}`,
  );
  // The first is told however long it is; the list of translations has them all.
  let room = mostCharacters;
  const told = reasons.filter((reason, index) => {
    room -= reason.length;
    return index === 0 || room >= 0;
  });
  const more = reasons.length - told.length;
  return [...told, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(' ');
}

const isNamedIn = (sentence: string, [first, ...others]: readonly Failed[]): boolean =>
  first !== undefined && others.length === 0 && sentence.includes(basename(first.path));

/** Characters of reasons that a notice has room for, and names. */
const [mostCharacters, mostNames] = [800, 12];

function namesOf(outcomes: readonly TranslationOutcome[]): string {
  const names = outcomes.slice(0, mostNames).map(({ path }) => basename(path));
  const more = outcomes.length - mostNames;
  return [...names, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join(', ');
}

async function offerOthers(
  done: readonly Done[],
  stopped: boolean,
  panels: AudioParts['panels'],
  text: TaskText,
): Promise<void> {
  const { show } = text;
  const translated = done.filter(({ transcript }) => text.isDone(transcript)).length;
  const sentence = translated === 0 ? text.noneDone(done.length) : text.doneText(translated, stopped);
  if ((await window.showInformationMessage(sentence, show)) !== show) return;
  const picked = await pickTranscript(done.map(({ transcript }) => transcript));
  const chosen = done.find(({ transcript }) => transcript === picked);
  if (chosen !== undefined) panels.show(chosen.transcript, chosen.path);
}

import { l10n } from 'vscode';
import { Command, type CommandId } from '../../../ids/ids.ts';
import type { AudioTask } from '../../../service/audio/audio.ts';
import { hasSpeech, isEnglish, type Transcript } from '../../transcript/transcript.ts';

/** What the command of a task says: each sentence is a whole one, as languages build them in different ways. */
export interface TaskText {
  readonly command: CommandId;
  readonly title: string;
  readonly verb: string;
  readonly again: string;
  readonly pick: string;
  readonly show: string;
  readonly others: string;
  readonly askOne: string;
  ask(recordings: number): string;
  /** Where recordings go, and what becomes of them there. */
  goesTo(recordings: number, host: string, model: string): string;
  readonly notYet: string;
  readonly noneYet: string;
  savedText(saved: Transcript): string;
  someSaved(done: number, of: number): string;
  running(name: string, about: string): string;
  runningOf(name: string, number: number, of: number, about: string): string;
  inOtherWindow(name: string): string;
  doneText(count: number, isStopped: boolean): string;
  /** Where nothing came of any of them, though the service answered. */
  noneDone(of: number): string;
  failedText(failed: number, of: number, reasons: string): string;
  /** Whether a text is what the task is for. */
  isDone(transcript: Transcript): boolean;
}

export const taskText = (task: AudioTask): TaskText => (task === 'transcribe' ? ofTranscribing() : ofTranslating());

const ofTranslating = (): TaskText => ({
  command: Command.audioTranslate,
  title: l10n.t('Translate to English'),
  verb: l10n.t('Translate'),
  again: l10n.t('Translate Again'),
  pick: l10n.t('Pick the recordings to translate'),
  show: l10n.t('Show Translation'),
  others: l10n.t('Translate the Others'),
  askOne: l10n.t('Translate this recording?'),
  ask: (recordings) => l10n.t('Translate {0} recordings?', recordings),
  goesTo: (recordings, host, model) =>
    recordings === 1
      ? l10n.t('It goes to {0}, where the model {1} translates it.', host, model)
      : l10n.t('They go to {0}, where the model {1} translates them.', host, model),
  notYet: l10n.t('This recording is not translated yet.'),
  noneYet: l10n.t('No recording is translated yet.'),
  savedText(saved) {
    if (isEnglish(saved)) return l10n.t('This recording is already translated.');
    return !hasSpeech(saved)
      ? l10n.t('No speech was found in this recording.')
      : l10n.t('This recording is already transcribed, and not translated.');
  },
  someSaved: (done, of) => l10n.t('{0} of {1} recordings are already translated.', done, of),
  running: (name, about) => l10n.t('Translating {0} ({1})…', name, about),
  runningOf: (name, number, of, about) => l10n.t('Translating {0} ({1} of {2})… {3}', name, number, of, about),
  inOtherWindow: (name) => l10n.t('Another window translates {0}; its text is taken…', name),
  doneText(count, isStopped) {
    if (count === 1) {
      return isStopped
        ? l10n.t('Stopped. One recording was translated and is kept.')
        : l10n.t('One recording is translated.');
    }
    return isStopped
      ? l10n.t('Stopped. {0} recordings were translated and are kept.', count)
      : l10n.t('{0} recordings are translated.', count);
  },
  noneDone: (of) => l10n.t('None of {0} recordings could be translated; what was heard is kept.', of),
  failedText: (failed, of, reasons) => l10n.t('{0} of {1} recordings were not translated: {2}', failed, of, reasons),
  isDone: isEnglish,
});

const ofTranscribing = (): TaskText => ({
  command: Command.audioTranscribe,
  title: l10n.t('Transcribe Recording'),
  verb: l10n.t('Transcribe'),
  again: l10n.t('Transcribe Again'),
  pick: l10n.t('Pick the recordings to transcribe in the language that is spoken'),
  show: l10n.t('Show Transcript'),
  others: l10n.t('Transcribe the Others'),
  askOne: l10n.t('Transcribe this recording in the language that is spoken?'),
  ask: (recordings) => l10n.t('Transcribe {0} recordings in the language that is spoken?', recordings),
  goesTo: (recordings, host, model) =>
    recordings === 1
      ? l10n.t('It goes to {0}, where the model {1} transcribes it.', host, model)
      : l10n.t('They go to {0}, where the model {1} transcribes them.', host, model),
  notYet: l10n.t('This recording is not transcribed yet.'),
  noneYet: l10n.t('No recording is transcribed yet.'),
  savedText: (saved) =>
    hasSpeech(saved)
      ? l10n.t('This recording is already transcribed.')
      : l10n.t('No speech was found in this recording.'),
  someSaved: (done, of) => l10n.t('{0} of {1} recordings are already transcribed.', done, of),
  running: (name, about) => l10n.t('Transcribing {0} ({1})…', name, about),
  runningOf: (name, number, of, about) => l10n.t('Transcribing {0} ({1} of {2})… {3}', name, number, of, about),
  inOtherWindow: (name) => l10n.t('Another window transcribes {0}; its text is taken…', name),
  doneText(count, isStopped) {
    if (count === 1) {
      return isStopped
        ? l10n.t('Stopped. One recording was transcribed and is kept.')
        : l10n.t('One recording is transcribed.');
    }
    return isStopped
      ? l10n.t('Stopped. {0} recordings were transcribed and are kept.', count)
      : l10n.t('{0} recordings are transcribed.', count);
  },
  noneDone: (of) => l10n.t('No speech was found in {0} recordings.', of),
  failedText: (failed, of, reasons) => l10n.t('{0} of {1} recordings were not transcribed: {2}', failed, of, reasons),
  isDone: hasSpeech,
});

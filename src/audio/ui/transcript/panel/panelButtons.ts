import { commands, env, Uri } from 'vscode';
import type { Button } from '../../../../editor/sentences/errorButtons.ts';
import type { Services } from '../../../../editor/services.ts';
import { Command } from '../../../../ids/ids.ts';
import type { FromTranscriptPanel, TranscriptState } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { paragraphText, toPlainText } from '../../../export/transcriptText.ts';
import { otherText, textIdOf } from '../../../transcript/textId.ts';
import { type Transcript, withPath } from '../../../transcript/transcript.ts';
import { taskText } from '../../tasks/taskText.ts';
import { exportTranslations } from '../exportTranslations.ts';
import { openExtraFields } from '../transcriptNote.ts';
import type { Transcripts } from '../transcripts.ts';

/** Carries out the button that was pressed. Gives whether something was copied. */
export async function pressButton(
  message: Exclude<
    FromTranscriptPanel,
    { type: 'ready' | 'edit' | 'tick' | 'speaker' | 'heard' | 'cannotPlay' | 'playing' | 'decoded' }
  >,
  transcript: Transcript | undefined,
  { sha256, path, task }: TranscriptState,
  { services, transcripts }: { readonly services: Services; readonly transcripts: Transcripts },
): Promise<boolean> {
  const recording = Uri.file(path);
  try {
    if (message.type === 'translate')
      await commands.executeCommand(taskText(task ?? 'translate').command, recording, [recording]);
    else if (message.type === 'translateAgain')
      await commands.executeCommand(Command.audioTranslateAgain, { path, task });
    else if (message.type === 'versions')
      await commands.executeCommand(Command.audioVersions, textIdOf({ sha256, task }));
    else if (message.type === 'openRecording') await openRecording(recording);
    else if (message.type === 'openExtraFields') await runAction(openExtraFields());
    else if (transcript === undefined) return false;
    else if (message.type === 'export') {
      const other = await transcripts.get(textIdOf(otherText(transcript)));
      await exportTranslations([withPath(transcript, path)], services.notices, other);
    } else await env.clipboard.writeText(message.as === 'times' ? toPlainText(transcript) : paragraphText(transcript));
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

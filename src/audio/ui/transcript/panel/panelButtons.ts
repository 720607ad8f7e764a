import { commands, env, Uri } from 'vscode';
import type { Button } from '../../../../editor/sentences/errorButtons.ts';
import type { Services } from '../../../../editor/services.ts';
import { Command } from '../../../../ids/ids.ts';
import type { FromTranscriptPanel } from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { paragraphText, toPlainText } from '../../../export/transcriptText.ts';
import { type Transcript, withPath } from '../../../transcript/transcript.ts';
import { exportTranslations } from '../exportTranslations.ts';
import { openExtraFields } from '../transcriptNote.ts';

/** Carries out the button that was pressed. Gives whether something was copied. */
export async function pressButton(
  message: Exclude<
    FromTranscriptPanel,
    { type: 'ready' | 'edit' | 'tick' | 'speaker' | 'heard' | 'cannotPlay' | 'playing' }
  >,
  transcript: Transcript | undefined,
  path: string,
  services: Services,
): Promise<boolean> {
  const recording = Uri.file(path);
  try {
    if (message.type === 'translate') await commands.executeCommand(Command.audioTranslate, recording, [recording]);
    else if (message.type === 'translateAgain') await commands.executeCommand(Command.audioTranslateAgain, recording);
    else if (message.type === 'versions') await commands.executeCommand(Command.audioVersions, recording);
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

import type { Uri } from 'vscode';
import { identify } from '../../recording/recording.ts';
import { taskOf } from '../../transcript/textId.ts';
import type { AudioParts } from '../audioServices.ts';
import { type TaskText, taskText } from '../tasks/taskText.ts';
import { pickTranscript } from '../transcript/pickTranscript.ts';
import { listTexts } from '../transcript/transcripts.ts';
import { toUris } from './translateCommand.ts';

/**
 * Shows the saved text of a recording: the translation, or where there is none, what is said as it is spoken. Without a recording, lets the
 * user pick from all.
 * @param task which text is wanted, if one is
 */
export async function openTranslation(uri: unknown, task: unknown, parts: AudioParts): Promise<void> {
  const { stores, panels, decorations, services } = parts;
  const [wanted] = toUris(uri);
  const tasks = (['translate', 'transcribe'] as const).filter((each) => task !== 'transcribe' || each === task);
  if (wanted !== undefined) {
    const file = await identify(wanted.fsPath);
    for (const each of tasks) {
      const saved = file === undefined ? undefined : await stores[each].journal.find(file);
      if (saved !== undefined) return panels.show(saved, wanted.fsPath);
    }
    const text = taskText(tasks[0] ?? 'translate');
    void services.notices.info(text.notYet, beginAction(text, wanted));
    return;
  }
  const all = await listTexts(stores);
  if (all.length === 0) {
    const text = taskText('translate');
    void services.notices.info(text.noneYet, beginAction(text));
    return;
  }
  const picked = await pickTranscript(all, async (transcript) => {
    await stores[taskOf(transcript)].journal.remove(transcript.sha256);
    decorations.refresh(undefined);
  });
  if (picked !== undefined) panels.show(picked, picked.path);
}

const beginAction = ({ verb, command }: TaskText, uri?: Uri) => ({
  title: verb,
  command,
  arguments: uri === undefined ? [] : [uri, [uri]],
});

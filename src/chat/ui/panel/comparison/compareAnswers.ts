import { l10n, Uri } from 'vscode';
import { ServiceError } from '../../../../base/errors.ts';
import type { Services } from '../../../../editor/services.ts';
import { sortForPurpose } from '../../../../service/models/models.ts';
import type { ToChatPanel } from '../../../../webview/shared/protocol/protocol.ts';
import { contestantOfModel, contestantOfPreset } from '../../../comparison/contestants.ts';
import { streamingAnswers } from '../../../conversation/conversation.ts';
import { configurationOf } from '../../../parameters/configuration.ts';
import type { RequestOverride } from '../../../parameters/requestOverride.ts';
import { listPresets, type PresetFile, readPreset } from '../../configuration/presets.ts';
import type { Attachments } from '../../context/attachments.ts';
import type { ReadPrompts } from '../../context/prompts/promptFiles.ts';
import { questionOf } from '../../context/prompts/usePrompt.ts';
import type { ShownConversation } from '../../conversations/shownConversation.ts';
import { pickContestants } from './pickContestants.ts';

/** What answers are compared with. */
export interface ComparingParts {
  readonly services: Pick<Services, 'client' | 'connection' | 'keys' | 'notices' | 'context'>;
  readonly shown: ShownConversation;
  readonly attachments: Attachments;
  readonly prompts: ReadPrompts;
  readonly post: (message: ToChatPanel) => void;
}

/**
 * Has the user choose who answers, and asks them all: the text of the message box, or the last question again where that is empty. The
 * words stay in the box until they are asked.
 */
export async function compareAnswers(text: string, parts: ComparingParts): Promise<void> {
  const { services, shown, attachments, prompts, post } = parts;
  const { notices } = services;
  await shown.restored();
  const { id, messages } = shown.conversation;
  if (shown.isBusy || streamingAnswers(shown.conversation).length > 0) {
    void notices.info(l10n.t('An answer is being written. Answers can be compared when it has ended.'));
    return;
  }
  const isNew = text.trim() !== '';
  if (!isNew && messages.every(({ role }) => role !== 'user')) {
    void notices.info(l10n.t('Write a question into the message box first.'));
    return;
  }
  const contestants = await chooseContestants(parts);
  // The question is for the conversation in which it was written, not for one that was opened meanwhile.
  if (contestants === undefined || shown.conversation.id !== id || shown.isBusy) return;
  if (!isNew) {
    await shown.compare(contestants);
    return;
  }
  await attachments.settled();
  const question = await questionOf(text, prompts, notices);
  if (question === undefined) return;
  for (const attachment of question.attachments) attachments.add(attachment);
  post({ type: 'wasAsked', text });
  await shown.compare(contestants, { ...question, attachments: attachments.take() });
}

/** Undefined where the user closes the question, or one of those that were chosen cannot be read. */
async function chooseContestants({ services, shown }: ComparingParts): Promise<RequestOverride[] | undefined> {
  const { client, connection, keys, notices, context } = services;
  const baseUrl = connection.baseUrl('chat');
  if (baseUrl === undefined) throw new ServiceError('no-address');
  const { model, parameters } = configurationOf(shown.conversation.configured);
  const service = await keys.withKey({ baseUrl });
  const set = connection.model('chat');
  const chosen = await pickContestants<PresetFile>({
    current: model ?? set,
    presets: await listPresets(Uri.joinPath(context.globalStorageUri, 'presets')),
    models: async (signal) => sortForPurpose(await client.listModels(service, signal), 'chat').map(({ id }) => id),
  });
  if (chosen === undefined) return undefined;
  const contestants: RequestOverride[] = [];
  for (const choice of chosen) {
    if ('model' in choice) contestants.push(contestantOfModel(choice.model, parameters));
    else {
      const change = await readPreset(choice.preset, { parameters: {} }, set, notices);
      if (change === undefined) return undefined;
      contestants.push(contestantOfPreset(choice.preset.name, change));
    }
  }
  return contestants;
}

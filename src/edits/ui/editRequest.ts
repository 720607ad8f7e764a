import { l10n, workspace } from 'vscode';
import type { LineRange } from '../../base/lines.ts';
import { readInstructions } from '../../editor/files/instructionFiles.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { TextMessage } from '../../service/chat/chatRequest.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { chooseForm, type EditForm } from '../ask/editForm.ts';
import { editMessages } from '../ask/prompt.ts';
import { isToolRefusal } from '../ask/toolRefusal.ts';
import type { EditedDocument } from '../plan.ts';
import { type EditWatch, type ReceivedAnswer, receiveAnswer } from './receiveAnswer.ts';

/** Lines above and below the selection that are sent for orientation. */
const contextLines = 20;

/** The text that an edit is asked for, with all that is pending, and the lines of it that are meant. */
export interface AskedDocument extends EditedDocument {
  readonly selection: LineRange;
  readonly language: string;
}

/** What is known of models, as edits need it. */
export interface ToolFacts {
  /** Asks the service where that has to be; undefined where it takes too long to say. Does not reject. */
  soon(model: string, signal: AbortSignal): Promise<{ readonly takesTools?: boolean } | undefined>;
}

export interface EditRequestParts {
  readonly services: Services;
  readonly facts: ToolFacts;
  /** Asks before many tokens are sent. @throws ServiceError `cancelled` */
  confirm(messages: readonly TextMessage[], lines: number, endpoint: Endpoint): Promise<void>;
}

/** The form that a question was asked in, and what came. */
export interface AskedEdit {
  readonly endpoint: Endpoint;
  readonly form: EditForm;
  readonly answer: ReceivedAnswer;
}

/**
 * Asks the model for an edit in the form that it does best, and once more in another where the service refuses tools.
 * @throws ServiceError
 */
export async function requestEdit(
  { services, facts, confirm }: EditRequestParts,
  edited: AskedDocument,
  instruction: string,
  watch: EditWatch,
): Promise<AskedEdit> {
  const { client, connection } = services;
  const endpoint = await connection.endpoint('chat');
  const { baseUrl, model } = endpoint;
  const hasTools = (await facts.soon(model, watch.stop))?.takesTools;
  const choose = (): EditForm =>
    chooseForm({
      setting: readSetting('parley.edits.form'),
      byModel: readSetting('parley.edits.formByModel'),
      model,
      hasTools,
      learned: client.memory.forms(baseUrl, model),
      selectedLines: lines,
    });
  const lines = edited.selection.last - edited.selection.first + 1;
  let isAsked = false;
  const ask = async (form: EditForm): Promise<AskedEdit> => {
    const messages = await messagesFor(edited, instruction, form);
    if (!isAsked) await confirm(messages, lines, endpoint);
    isAsked = true;
    const asked = { messages, form, title: l10n.t('Editing the selection') };
    return { endpoint, form, answer: await receiveAnswer(services, endpoint, asked, watch) };
  };
  const form = choose();
  try {
    return await ask(form);
  } catch (error) {
    if (form !== 'tool' || !isToolRefusal(error)) throw error;
    client.memory.noteForm(baseUrl, model, 'tool', 'refused');
    return ask(choose());
  }
}

async function messagesFor(
  { path, language, lines, selection: { first, last } }: AskedDocument,
  instruction: string,
  form: EditForm,
): Promise<TextMessage[]> {
  // Only the selection is read in Restricted Mode.
  const count = workspace.isTrusted ? contextLines : 0;
  const question = {
    instruction,
    path,
    language,
    before: lines.slice(Math.max(0, first - count), first),
    selected: lines.slice(first, last + 1),
    after: lines.slice(last + 1, last + 1 + count),
  };
  return editMessages(question, form, await readInstructions());
}

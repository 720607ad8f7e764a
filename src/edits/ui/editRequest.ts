import { l10n, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import type { Endpoint } from '../../service/endpoint.ts';
import { chooseForm, type EditForm } from '../ask/editForm.ts';
import { editMessages } from '../ask/prompt.ts';
import { isToolRefusal } from '../ask/toolRefusal.ts';
import { sharedPath } from './documentNames.ts';
import { type EditWatch, type ReceivedAnswer, receiveAnswer } from './receiveAnswer.ts';
import { readLines, type TrackedLines } from './trackedLines.ts';

/** Lines above and below the selection that are sent for orientation. */
const contextLines = 20;
/** The time that the service's list of models has to say whether a model has tools, in milliseconds. */
const patience = 2_000;

/** What is known of models, as edits need it. */
export interface ToolFacts {
  /** Asks the service where that has to be. Does not reject. */
  of(model: string): Promise<{ readonly takesTools?: boolean }>;
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
  { services, facts }: { readonly services: Services; readonly facts: ToolFacts },
  lines: TrackedLines,
  instruction: string,
  watch: EditWatch,
): Promise<AskedEdit> {
  const { client, connection } = services;
  const endpoint = await connection.endpoint('chat');
  const { baseUrl, model } = endpoint;
  const hasTools = await takesTools(facts, model, watch.stop);
  const choose = (): EditForm =>
    chooseForm({
      setting: readSetting('parley.edits.form'),
      byModel: readSetting('parley.edits.formByModel'),
      model,
      hasTools,
      learned: client.memory.forms(baseUrl, model),
      selectedLines: lines.original.length,
    });
  const ask = async (form: EditForm): Promise<AskedEdit> => {
    const asked = { messages: messagesFor(lines, instruction, form), form, title: l10n.t('Editing the selection') };
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

/** Whether a model has tools, as far as that is known in time. */
async function takesTools(facts: ToolFacts, model: string, stop: AbortSignal): Promise<boolean | undefined> {
  const over = new AbortController();
  const late = systemClock.sleep(patience, AbortSignal.any([stop, over.signal])).catch(() => undefined);
  const known = await Promise.race([facts.of(model), late]);
  over.abort();
  return known?.takesTools;
}

function messagesFor({ document, range, original }: TrackedLines, instruction: string, form: EditForm) {
  // Only the selection is read in Restricted Mode.
  const count = workspace.isTrusted ? contextLines : 0;
  const question = {
    instruction,
    path: sharedPath(document.uri),
    language: document.languageId,
    before: readLines(document, range.first - count, range.first - 1),
    selected: original,
    after: readLines(document, range.last + 1, range.last + count),
  };
  return editMessages(question, form);
}

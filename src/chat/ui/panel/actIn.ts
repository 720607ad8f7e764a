import { plain } from '../../../editor/text/plainText.ts';
import type { FromComparison } from '../../../webview/shared/protocol/comparisonProtocol.ts';
import type { FromChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import type { CompletionSources } from '../../context/completionSources.ts';
import type { EditedQuestions } from '../context/editedQuestions.ts';
import type { QuestionContext } from '../context/questionContext.ts';
import { type AboutPage, act, type PanelActions } from './panelActions.ts';

/** What goes along with a question that is written somewhere in the panel. */
export type WrittenContext = Omit<QuestionContext, 'dispose'>;

/**
 * Does what the user wants where a question is written: in the message box, or where one of the conversation is edited.
 * @param next what goes along with the question in the message box
 */
export async function actIn(
  message: Exclude<FromChatPanel, AboutPage | FromComparison>,
  next: WrittenContext & { readonly edited: EditedQuestions },
  panel: Omit<PanelActions, keyof WrittenContext>,
): Promise<void> {
  const of = 'of' in message ? message.of : undefined;
  const context = of === undefined ? next : next.edited.of(of);
  // It was asked, or given up, meanwhile.
  if (context === undefined) return;
  const { attachments, adder, images, search, completions } = context;
  if (message.type === 'complete') await complete(message, completions, panel.post);
  else if (message.type === 'chooseCompletion') {
    const choosing = completions.choose(message.id);
    attachments.adding(choosing);
    await choosing;
  } else await act(message, { ...panel, attachments, adder, images, search });
}

type Complete = Extract<FromChatPanel, { readonly type: 'complete' }>;

/** Offers what fits the words at the caret of a box. */
async function complete(
  { trigger, text }: Complete,
  completions: CompletionSources,
  post: PanelActions['post'],
): Promise<void> {
  const items = await completions.find(trigger, text);
  if (items === undefined) return;
  const offered = items.map((item) => ({
    ...item,
    label: plain(item.label),
    detail: plain(item.detail),
    // As on the chip, by which the page knows them again.
    ...(item.words && { words: plain(item.words) }),
  }));
  post({ type: 'completions', trigger, text, items: offered });
}

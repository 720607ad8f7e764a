import { l10n } from 'vscode';
import { relativeTime } from '../../../../editor/sentences/relativeTime.ts';
import { window } from '../../../../editor/text/window.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import { conversationToMarkdown } from '../../../exchange/conversationMarkdown.ts';
import type { History } from '../../../history/history.ts';
import { attachSelection } from '../attach.ts';
import type { Attachments } from '../attachments.ts';
import type { ContextAdder } from '../contextAdder.ts';
import type { QuestionSearch } from '../questionSearch.ts';
import { step, withinStep } from './steps.ts';

/** A source of one choice, offered while its name is typed. */
function single(name: string, make: () => Omit<CompletionItem, 'label'> | undefined): CompletionSource {
  return {
    trigger: '@',
    async find(text) {
      const item = name.startsWith(text.toLowerCase()) ? make() : undefined;
      return item === undefined ? [] : [{ label: name, ...item }];
    },
  };
}

/** `@selection`: the lines that are selected in the active editor. */
export function createSelectionSource(attachments: Attachments): CompletionSource {
  return single('selection', () => {
    const editor = window.activeTextEditor;
    if (editor === undefined || editor.selection.isEmpty) return undefined;
    const attachment = attachSelection(editor);
    const choose = async (): Promise<void> => void attachments.add(attachment);
    return {
      detail: l10n.t('Selected lines, {0}', attachment.label),
      icon: 'list-selection',
      words: attachment.label,
      choose,
    };
  });
}

/** `@terminal`: what is selected in the active terminal. */
export function createTerminalSource(addTerminal: () => Promise<void>): CompletionSource {
  return single('terminal', () =>
    window.activeTerminal === undefined
      ? undefined
      : {
          detail: l10n.t('What is selected in the terminal'),
          icon: 'terminal',
          words: 'terminal',
          choose: addTerminal,
        },
  );
}

/** `@search`: code of the workspace that is found by a description. */
export function createSearchSource(search: QuestionSearch): CompletionSource {
  return single('search', () => {
    if (search.state === undefined) return undefined;
    const choose = async (): Promise<void> => {
      const text = await window.showInputBox({
        title: l10n.t('Attach Code That Is Found'),
        prompt: l10n.t('Describe what the code does'),
      });
      if (text !== undefined) await search.run(text);
    };
    return { detail: l10n.t('Code that fits a description'), icon: 'search', choose };
  });
}

/** `@conversation:`: an earlier conversation, as it would be exported. */
export function createConversationSource(
  history: History,
  current: () => string,
  adder: ContextAdder,
): CompletionSource {
  async function add(id: string, title: string): Promise<void> {
    const kept = await history.open(id);
    if (kept === undefined) return;
    const labels = {
      untitled: title,
      question: l10n.t('Question'),
      answer: l10n.t('Answer'),
      incomplete: l10n.t('This answer is not complete.'),
    };
    const text = conversationToMarkdown(kept.conversation, labels);
    await adder.addText({ kind: 'conversation', label: title, path: title, languageId: 'markdown', text });
  }
  return {
    trigger: '@',
    async find(text) {
      const named = withinStep(text, 'conversation:');
      if (named === undefined)
        return step(text, 'conversation:', l10n.t('An earlier conversation'), 'comment-discussion');
      const now = Date.now();
      // No space can be typed: it would end the word.
      const wanted = named.toLowerCase();
      const found = (await history.list()).filter(
        ({ id, title, questions }) =>
          id !== current() && questions > 0 && title.toLowerCase().replaceAll(/\s/g, '').includes(wanted),
      );
      return found.slice(0, 50).map(({ id, title, updatedAt }) => {
        const name = title || l10n.t('Untitled');
        return {
          label: name,
          detail: relativeTime(updatedAt, now),
          icon: 'comment-discussion',
          words: name,
          choose: () => add(id, name),
        };
      });
    },
  };
}

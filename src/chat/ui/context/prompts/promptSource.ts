import { commands, l10n } from 'vscode';
import { Command } from '../../../../ids/ids.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import { matchPrompts } from '../../../prompts/findPrompt.ts';
import type { ReadPrompts, SourcedPrompt } from './promptFiles.ts';

/** `/review`: the prompts that can be used by name, and the way to a new one. */
export function createPromptSource(readPrompts: ReadPrompts): CompletionSource {
  return {
    trigger: '/',
    async find(text) {
      const found = matchPrompts(await readPrompts(), text).map(itemOf);
      return text === '' ? [...found, newPromptItem()] : found;
    },
  };
}

function itemOf({ name, description, source, folder }: SourcedPrompt): CompletionItem {
  const icons = { 'built-in': 'sparkle', user: 'account', workspace: 'root-folder' } as const;
  const from = { 'built-in': '', user: l10n.t('mine'), workspace: folder ?? '' }[source];
  return {
    label: name,
    detail: [description, from].filter((part) => part !== '').join(' · '),
    icon: icons[source],
    insert: `/${name} `,
  };
}

function newPromptItem(): CompletionItem {
  return {
    label: l10n.t('New Prompt…'),
    icon: 'add',
    async choose() {
      await commands.executeCommand(Command.promptsNew);
    },
  };
}

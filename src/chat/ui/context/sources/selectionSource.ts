import { l10n } from 'vscode';
import { window } from '../../../../editor/text/window.ts';
import type { CompletionSource } from '../../../context/completionSources.ts';
import { attachSelection } from '../attach.ts';
import type { Attachments } from '../attachments.ts';

/** `@selection`: the lines that are selected in the active editor. */
export function createSelectionSource(attachments: Attachments): CompletionSource {
  return {
    trigger: '@',
    async find(text) {
      const editor = window.activeTextEditor;
      if (editor === undefined || editor.selection.isEmpty || !'selection'.startsWith(text.toLowerCase())) return [];
      const attachment = attachSelection(editor);
      return [
        {
          label: 'selection',
          detail: l10n.t('Selected lines, {0}', attachment.label),
          icon: 'list-selection',
          choose: async () => attachments.add(attachment),
        },
      ];
    },
  };
}

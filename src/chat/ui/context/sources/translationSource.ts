import { posix } from 'node:path';
import { l10n } from 'vscode';
import type { TranslationSearch } from '../../../../editor/files/translationSearch.ts';
import type { CompletionSource } from '../../../context/completionSources.ts';
import type { ContextAdder } from '../contextAdder.ts';
import { step, withinStep } from './steps.ts';

/** `@translation:`: a recording that was translated, by its name or by what is said in it. */
export function createTranslationSource(translations: TranslationSearch, adder: ContextAdder): CompletionSource {
  return {
    trigger: '@',
    async find(text) {
      const wanted = withinStep(text, 'translation:');
      if (wanted === undefined) return step(text, 'translation:', l10n.t('A translated recording'), 'mic');
      return (await translations.find(wanted)).map(({ line, place, document }) => ({
        label: line,
        detail: place,
        icon: 'mic',
        words: posix.basename(document.path),
        choose: () => adder.addFiles([document]),
      }));
    },
  };
}

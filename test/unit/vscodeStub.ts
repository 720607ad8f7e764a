import { registerHooks } from 'node:module';

const stub = `
  export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d)\\}/g, (_, index) => values[index]) };
  export const env = { language: 'en' };
  export class Range {}
  export class Uri {
    constructor(path) { this.path = path; }
    static file(path) { return new Uri(path); }
  }`;

// What makes sentences needs no more of VS Code than this.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

const { Uri } = await import('vscode');
const { errorText } = await import('../../src/editor/errorText.ts');
const { coverageText, sentenceOf, stateText } = await import('../../src/search/ui/sentences.ts');
const { shortStateText } = await import('../../src/search/ui/shortStateText.ts');
const { exclusionText } = await import('../../src/search/ui/whyExcluded.ts');

/** What a person reads: of an error, of the index and its state, of a file that is left out. */
export { coverageText, errorText, exclusionText, sentenceOf, shortStateText, stateText, Uri };

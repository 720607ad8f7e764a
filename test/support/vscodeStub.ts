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
const { errorText } = await import('../../src/editor/sentences/errorText.ts');
const { agesEveryMs, keepAgesFresh } = await import('../../src/editor/sentences/relativeTime.ts');
const { coverageText, halfText, leftOutText, sentenceOf, stateText } = await import(
  '../../src/search/ui/shared/sentences.ts'
);
const { shortStateText } = await import('../../src/search/ui/index/shortStateText.ts');
const { exclusionText } = await import('../../src/search/ui/index/whyExcluded.ts');
const { stateText: audioStateText } = await import('../../src/audio/ui/jobs/jobText.ts');
const { contentsText } = await import('../../src/search/ui/index/contentsText.ts');

/** What a person reads: of an error, of the index and its state, of a file that is left out. */
export {
  agesEveryMs,
  audioStateText,
  contentsText,
  coverageText,
  errorText,
  exclusionText,
  halfText,
  keepAgesFresh,
  leftOutText,
  sentenceOf,
  shortStateText,
  stateText,
  Uri,
};

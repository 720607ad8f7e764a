import type { Uri } from 'vscode';

/** A translation, or a line of it, that fits what was typed. All texts are only text. */
export interface FoundTranslation {
  readonly line: string;
  /** The recording, and where in it. */
  readonly place: string;
  /** The translation as a document that can be read. */
  readonly document: Uri;
}

/** The door to what was said in all translations, for parts that attach it. */
export interface TranslationSearch {
  /** @param text a name or words, of which blanks may be left out; empty: all translations */
  find(text: string): Promise<readonly FoundTranslation[]>;
}

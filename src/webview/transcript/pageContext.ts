import type { Strings } from '../shared/protocol/protocol.ts';
import type { FromTranscriptPanel } from '../shared/protocol/transcriptProtocol.ts';
import type { SoundDecoder } from './sound/soundDecoder.ts';

/** What every part of the page is given. */
export interface PageContext {
  readonly strings: Strings;
  /** The language of the text, and of the other one beside it, as codes; each absent where it is not known. */
  readonly languages?: { readonly own?: string | undefined; readonly beside?: string | undefined } | undefined;
  post(message: FromTranscriptPanel): void;
  readonly sound: SoundDecoder;
  /** A string with values in the places of `{0}`, `{1}`. */
  phrase(key: string, ...values: readonly (string | number)[]): string;
  /** Says something to a screen reader, once. */
  announce(text: string): void;
}

/** @param live the element that is announced */
export function createPageContext(
  strings: Strings,
  live: HTMLElement,
  { post, sound }: Pick<PageContext, 'post' | 'sound'>,
  languages?: PageContext['languages'],
): PageContext {
  return {
    strings,
    languages,
    post,
    sound,
    phrase: (key, ...values) =>
      (strings[key] ?? '').replace(/\{(\d)\}/g, (_all, index: string) => String(values[Number(index)] ?? '')),
    announce(text) {
      // The element is emptied first, so that a screen reader says the same words again.
      live.textContent = '';
      requestAnimationFrame(() => {
        live.textContent = text;
      });
    },
  };
}

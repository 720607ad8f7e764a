import { env, l10n } from 'vscode';
import type { TrackInfo } from '../../recording/trackInfo.ts';

/** A track in words: `Track 2 · German · Director's cut · 3:30`. */
export function trackText({ number, language, title, seconds, isAside }: TrackInfo): string {
  const parts = [
    l10n.t('Track {0}', number),
    language && languageName(language),
    title,
    isAside && title === undefined ? l10n.t('commentary') : undefined,
    seconds && clockText(seconds),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** A language by its name in the language of VS Code; its code where it has none. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([env.language], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A length as a player has it: `3:30`, `1:02:05`. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

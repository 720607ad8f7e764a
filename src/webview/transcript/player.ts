import { element, labelButton } from '../parts/dom.ts';
import type { FromTranscriptPanel, Strings, TranscriptView } from '../shared/protocol.ts';

export interface Player {
  element: HTMLElement;
  /** Plays from that place on; absent where nothing can be played. */
  seek: ((seconds: number) => void) | undefined;
  /** Calls with the place in the recording, in seconds, as it plays. */
  onTime(listener: (seconds: number) => void): void;
}

/** The player of the browser; where it cannot play the recording, a sentence and a way to hear it elsewhere. */
export function renderPlayer(
  { player, noPlayer }: TranscriptView,
  strings: Strings,
  post: (message: FromTranscriptPanel) => void,
): Player {
  const place = element('section', { class: 'player', 'aria-label': strings['player'] ?? '' });
  const silent: Player = { element: place, seek: undefined, onTime: () => {} };
  const explain = (): void => {
    const open = labelButton(strings['openRecording'], 'link-external', () => post({ type: 'openRecording' }));
    place.replaceChildren(element('p', {}, strings['cannotPlay'] ?? ''), open);
  };
  if (player === undefined) {
    place.append(element('p', {}, noPlayer ?? ''));
    return silent;
  }
  const audio = element('audio', { controls: '', preload: 'metadata' });
  if (audio.canPlayType(player.type) === '') {
    explain();
    return silent;
  }
  // A browser may say "maybe" and fail when it meets the bytes.
  audio.addEventListener('error', explain);
  audio.src = player.src;
  place.append(audio);
  return {
    element: place,
    seek(seconds) {
      audio.currentTime = seconds;
      // A refusal, while the recording is still unknown or cannot be played, is told by `error`.
      audio.play().catch(() => {});
    },
    onTime: (listener) => audio.addEventListener('timeupdate', () => listener(audio.currentTime)),
  };
}

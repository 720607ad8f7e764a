import { element, labelButton } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import type { PlayerView, TranscriptView } from '../../shared/transcriptProtocol.ts';
import type { LineTimes } from '../lines/lineTimes.ts';
import type { PageContext } from '../pageContext.ts';
import { createLineLoop } from './lineLoop.ts';
import { createPlayerBar } from './playerBar.ts';

/** The player of a recording. Where it cannot be played here, a sentence and a way to hear it elsewhere. */
export interface Player {
  readonly element: HTMLElement;
  readonly canPlay: boolean;
  readonly isPlaying: boolean;
  readonly isFollowing: boolean;
  /** The place in the recording, in seconds. */
  readonly seconds: number;
  /** How fast it plays; 1 is as it was recorded. */
  speed: number;
  /** Plays or pauses. */
  toggle(): void;
  /** Goes to a place, in seconds. @param plays whether to play from there on, also where it was paused */
  seek(seconds: number, plays?: boolean): void;
  seekBy(seconds: number): void;
  toggleLoop(): void;
  /** Whether the text follows the sound. */
  follow(isOn: boolean): void;
  showPeaks(peaks: readonly number[]): void;
  /** A copy that may be played instead is being made. @param share how much of it is there, from 0 to 1 */
  preparing(share: number): void;
  /** Plays this copy, from the place that was gone to last; undefined: there is none. */
  useCopy(copy: PlayerView | undefined): void;
}

export interface PlayerListeners {
  /** The place in the recording, in seconds, as it plays or is gone to. */
  onTime(seconds: number): void;
  /** Whether it can be played is another now. */
  onCanPlay(): void;
  onFollow(): void;
  /** The recording was paused, gone to another place in, or has another speed. */
  onMove(): void;
}

export function createPlayer(
  page: PageContext,
  { player, noPlayer, peaks }: TranscriptView,
  times: LineTimes,
  { onTime, onCanPlay, onFollow, onMove }: PlayerListeners,
): Player {
  const { strings, post } = page;
  const audio = element('audio', { preload: 'metadata' });
  const place = element('section', { class: 'player', 'aria-label': strings['player'] });
  const loop = createLineLoop(times);
  let canPlay = player !== undefined && isPlayable(player);
  /** Where it was to be played from while it could not be. */
  let wanted: { readonly seconds: number; readonly plays: boolean } | undefined;
  let isFollowing = true;
  let hasAsked = false;
  const bar = createPlayerBar(page, {
    toggle,
    seek,
    setSpeed,
    toggleLoop,
    toggleFollow: () => follow(!isFollowing),
  });

  function update(): void {
    const duration = Number.isFinite(audio.duration) ? audio.duration : times.end;
    const { currentTime: seconds, paused } = audio;
    const speed = audio.playbackRate;
    bar.update({ seconds, duration, speed, isPlaying: !paused, isLooping: loop.isOn, isFollowing });
  }

  function tell(): void {
    update();
    onTime(audio.currentTime);
  }

  function play(): void {
    // A refusal, while the recording is still unknown or cannot be played, is told by `error`.
    audio.play().catch(() => {});
  }

  function toggle(): void {
    if (!canPlay) return;
    if (audio.paused) play();
    else audio.pause();
  }

  function seek(seconds: number, plays = false): void {
    if (!canPlay) {
      wanted = { seconds, plays };
      return;
    }
    audio.currentTime = Math.max(0, seconds);
    loop.moved(audio.currentTime);
    if (plays) play();
    tell();
  }

  function setSpeed(rate: number): void {
    // The other is what a recording begins with once it is loaded.
    audio.defaultPlaybackRate = rate;
    audio.playbackRate = rate;
    onMove();
  }

  function toggleLoop(): void {
    loop.toggle(audio.currentTime);
    update();
    watchLoop();
  }

  function follow(isOn: boolean): void {
    isFollowing = isOn;
    update();
    onFollow();
  }

  /** Goes back at the end of the line that is looped. */
  function keepLoop(): void {
    const next = loop.nextAt(audio.currentTime);
    if (next !== undefined) audio.currentTime = next;
  }

  let isWatching = false;
  /** The browser tells the time four times a second, and the next words would be heard by then. */
  function watchLoop(): void {
    if (isWatching) return;
    const watch = (): void => {
      isWatching = loop.isOn && !audio.paused;
      if (!isWatching) return;
      keepLoop();
      requestAnimationFrame(watch);
    };
    watch();
  }

  const sentence = element('p', {});
  function explain(): void {
    const open = labelButton(strings['openRecording'], 'link-external', () => post({ type: 'openRecording' }));
    open.className = 'button secondary';
    sentence.textContent = strings['cannotPlay'] ?? '';
    place.replaceChildren(sentence, open);
  }

  function fail(): void {
    canPlay = false;
    explain();
    if (hasAsked) return;
    hasAsked = true;
    post({ type: 'cannotPlay' });
  }

  function listen(): void {
    // A browser may say "maybe" and fail when it meets the bytes.
    audio.addEventListener('error', () => {
      fail();
      onCanPlay();
    });
    audio.addEventListener('timeupdate', () => {
      // In a window that is not drawn there are no frames.
      keepLoop();
      tell();
    });
    for (const event of ['durationchange', 'pause', 'seeking'] as const) audio.addEventListener(event, update);
    for (const event of ['pause', 'seeked'] as const) audio.addEventListener(event, onMove);
    audio.addEventListener('play', () => {
      update();
      watchLoop();
    });
    audio.addEventListener('ended', () => {
      const next = loop.nextAt(Number.POSITIVE_INFINITY);
      if (next !== undefined) {
        audio.currentTime = next;
        play();
      }
    });
  }

  function begin(src: string): void {
    audio.src = src;
    place.replaceChildren(audio, ...bar.elements);
    if (peaks !== undefined) bar.showPeaks(peaks);
    update();
  }

  listen();
  if (player === undefined) place.append(element('p', { text: noPlayer }));
  else if (canPlay) begin(player.src);
  else fail();

  return {
    element: place,
    get canPlay() {
      return canPlay;
    },
    get isPlaying() {
      return !audio.paused;
    },
    get isFollowing() {
      return isFollowing;
    },
    get seconds() {
      return canPlay ? audio.currentTime : (wanted?.seconds ?? 0);
    },
    get speed() {
      return audio.playbackRate;
    },
    set speed(rate) {
      setSpeed(rate);
      update();
    },
    toggle,
    seek,
    seekBy: (seconds) => seek(audio.currentTime + seconds),
    toggleLoop,
    follow,
    showPeaks: bar.showPeaks,
    preparing(share) {
      const done = numberText(share, { style: 'percent', maximumFractionDigits: 0 });
      sentence.textContent = page.phrase('preparing', done);
    },
    useCopy(copy) {
      if (copy === undefined || !isPlayable(copy)) return explain();
      canPlay = true;
      begin(copy.src);
      onCanPlay();
      if (wanted !== undefined) seek(wanted.seconds, wanted.plays);
    },
  };

  function isPlayable({ type }: PlayerView): boolean {
    return audio.canPlayType(type) !== '';
  }
}

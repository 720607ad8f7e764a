import { element } from '../../parts/dom.ts';
import type { LineTimes } from '../lines/lineTimes.ts';
import { createLineLoop } from './lineLoop.ts';

/** The sound of a recording, of which one line can be heard over and over. All places are in seconds. */
export interface LoopedAudio {
  readonly element: HTMLAudioElement;
  readonly isLooping: boolean;
  play(): void;
  /** Plays or pauses. */
  toggle(): void;
  moveTo(seconds: number): void;
  setSpeed(rate: number): void;
  toggleLoop(): void;
}

export interface AudioListeners {
  /** Anything about it is another now. */
  onUpdate(): void;
  /** The place is another one, as it plays. */
  onTime(): void;
  /** It was paused, gone to another place in, or has another speed. */
  onMove(): void;
  /** It cannot be played. */
  onError(): void;
}

export function createLoopedAudio(
  times: LineTimes,
  { onUpdate, onTime, onMove, onError }: AudioListeners,
): LoopedAudio {
  const audio = element('audio', { preload: 'metadata' });
  const loop = createLineLoop(times);
  let isWatching = false;

  /** Goes back at the end of the line that is looped. */
  function keepLoop(): void {
    const next = loop.nextAt(audio.currentTime);
    if (next !== undefined) audio.currentTime = next;
  }

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

  function play(): void {
    // A refusal, while the recording is still unknown or cannot be played, is told by `error`.
    audio.play().catch(() => {});
  }

  // A browser may say "maybe" and fail when it meets the bytes.
  audio.addEventListener('error', onError);
  audio.addEventListener('timeupdate', () => {
    // In a window that is not drawn there are no frames.
    keepLoop();
    onTime();
  });
  for (const event of ['durationchange', 'pause', 'seeking'] as const) audio.addEventListener(event, onUpdate);
  for (const event of ['pause', 'seeked'] as const) audio.addEventListener(event, onMove);
  audio.addEventListener('play', () => {
    onUpdate();
    watchLoop();
  });
  audio.addEventListener('ended', () => {
    const next = loop.nextAt(Number.POSITIVE_INFINITY);
    if (next === undefined) return;
    audio.currentTime = next;
    play();
  });

  return {
    element: audio,
    get isLooping() {
      return loop.isOn;
    },
    play,
    toggle: () => (audio.paused ? play() : audio.pause()),
    moveTo(seconds) {
      audio.currentTime = Math.max(0, seconds);
      loop.moved(audio.currentTime);
    },
    setSpeed(rate) {
      // The other is what a recording begins with once it is loaded.
      audio.defaultPlaybackRate = rate;
      audio.playbackRate = rate;
      onUpdate();
      onMove();
    },
    toggleLoop() {
      loop.toggle(audio.currentTime);
      onUpdate();
      watchLoop();
    },
  };
}

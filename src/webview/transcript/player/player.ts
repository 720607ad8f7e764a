import { element } from '../../parts/dom.ts';
import type { PlayerView, TranscriptView } from '../../shared/protocol/transcriptProtocol.ts';
import type { LineTimes } from '../lines/lineTimes.ts';
import type { PageContext } from '../pageContext.ts';
import { createDecodedBars } from './decodedBars.ts';
import { createLoopedAudio } from './loopedAudio.ts';
import { createPlayerBar } from './playerBar.ts';
import { createUnplayable } from './unplayable.ts';

/** The player of a recording. Where it cannot be played here, a sentence and a way to hear it elsewhere. */
export interface Player {
  readonly element: HTMLElement;
  readonly canPlay: boolean;
  readonly isPlaying: boolean;
  readonly isFollowing: boolean;
  /** The place in the recording, in seconds. */
  readonly seconds: number;
  /** How fast it plays; 1 is as it was recorded. */
  readonly speed: number;
  setSpeed(speed: number): void;
  /** Plays or pauses. */
  toggle(): void;
  /** Goes to a place, in seconds. @param plays whether to play from there on, also where it was paused */
  seek(seconds: number, plays?: boolean): void;
  seekBy(seconds: number): void;
  toggleLoop(): void;
  /** Whether the text follows the sound. */
  follow(isOn: boolean): void;
  /** Shows how loud the recording is, as packets say. */
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

export function createPlayer(page: PageContext, view: TranscriptView, times: LineTimes, on: PlayerListeners): Player {
  const { player, noPlayer, peaks } = view;
  const place = element('section', { class: 'player', 'aria-label': page.strings['player'] });
  const unplayable = createUnplayable(page, place);
  const looped = createLoopedAudio(times, { onUpdate: update, onTime: tell, onMove: on.onMove, onError });
  const { element: audio, toggleLoop, setSpeed } = looped;
  const toggle = (): void => void (canPlay && looped.toggle());
  const isPlayable = ({ type }: PlayerView): boolean => audio.canPlayType(type) !== '';
  let canPlay = player !== undefined && isPlayable(player);
  /** Where it was to be played from while it could not be. */
  let wanted: { readonly seconds: number; readonly plays: boolean } | undefined;
  let isFollowing = true;
  const bar = createPlayerBar(page, { toggle, seek, setSpeed, toggleLoop, toggleFollow: () => follow(!isFollowing) });
  const bars = createDecodedBars(page, audio, bar.showPeaks, peaks);

  function update(): void {
    const duration = Number.isFinite(audio.duration) ? audio.duration : times.end;
    const { currentTime: seconds, paused, playbackRate: speed } = audio;
    bar.update({ seconds, duration, speed, isPlaying: !paused, isLooping: looped.isLooping, isFollowing });
  }

  function tell(): void {
    update();
    on.onTime(audio.currentTime);
  }

  function seek(seconds: number, plays = false): void {
    if (!canPlay) {
      wanted = { seconds, plays };
      return;
    }
    looped.moveTo(seconds);
    if (plays) looped.play();
    tell();
  }

  function follow(isOn: boolean): void {
    isFollowing = isOn;
    update();
    on.onFollow();
  }

  function fail(): void {
    canPlay = false;
    unplayable.fail();
  }

  function onError(): void {
    fail();
    on.onCanPlay();
  }

  function begin(src: string): void {
    audio.src = src;
    place.replaceChildren(audio, ...bar.elements);
    bars.decode();
    update();
  }

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
    setSpeed,
    toggle,
    seek,
    seekBy: (seconds) => seek(audio.currentTime + seconds),
    toggleLoop,
    follow,
    showPeaks: bars.showPackets,
    preparing: unplayable.preparing,
    useCopy(copy) {
      if (copy === undefined || !isPlayable(copy)) return unplayable.show();
      canPlay = true;
      begin(copy.src);
      on.onCanPlay();
      if (wanted !== undefined) seek(wanted.seconds, wanted.plays);
    },
  };
}

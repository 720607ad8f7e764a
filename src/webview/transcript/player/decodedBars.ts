import type { PageContext } from '../pageContext.ts';

/** The bars of a player: those that are told from packets, until the sound itself was decoded. */
export interface DecodedBars {
  /** Shows what was told from packets, unless there is better. */
  showPackets(bars: readonly number[]): void;
  /** Decodes what the audio plays by now, as soon as its length is known. */
  decode(): void;
}

/** @param known bars that were decoded before: nothing is decoded again */
export function createDecodedBars(
  { post, sound }: PageContext,
  audio: HTMLAudioElement,
  show: (bars: readonly number[]) => void,
  known: readonly number[] | undefined,
): DecodedBars {
  let isDecoded = known !== undefined;

  async function replace(): Promise<void> {
    const { src } = audio;
    const bars = await sound.bars(src, audio.duration);
    if (bars === undefined || isDecoded || !audio.isConnected || audio.src !== src) return;
    isDecoded = true;
    show(bars);
    post({ type: 'decoded', bars });
  }

  return {
    showPackets(bars) {
      if (!isDecoded) show(bars);
    },
    decode() {
      if (known !== undefined) show(known);
      else audio.addEventListener('loadedmetadata', () => void replace(), { once: true });
    },
  };
}

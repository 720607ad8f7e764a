import { element, iconButton } from '../../parts/dom.ts';
import { numberText } from '../../parts/numberText.ts';
import { formatTime } from '../../shared/formatTime.ts';
import type { PageContext } from '../pageContext.ts';
import { createSeekBar } from './seekBar.ts';

/** What the bar shows. Times in seconds; a duration of 0 is not known yet. */
export interface PlayerState {
  readonly seconds: number;
  readonly duration: number;
  readonly speed: number;
  readonly isPlaying: boolean;
  readonly isLooping: boolean;
  readonly isFollowing: boolean;
}

/** The buttons of the player, the time and the slider, in one line where there is room. */
export interface PlayerBar {
  readonly elements: readonly HTMLElement[];
  update(state: PlayerState): void;
  showPeaks(peaks: readonly number[]): void;
}

export interface PlayerActions {
  toggle(): void;
  seek(seconds: number): void;
  setSpeed(rate: number): void;
  toggleLoop(): void;
  toggleFollow(): void;
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];

export function createPlayerBar(page: PageContext, actions: PlayerActions): PlayerBar {
  const { strings } = page;
  const play = iconButton('play', strings['play'] ?? '', actions.toggle);
  const clock = element('span', { class: 'clock' });
  const seekBar = createSeekBar(page, actions.seek);
  const speed = element(
    'select',
    { class: 'speed', 'aria-label': strings['speed'], title: strings['speed'] },
    ...speeds.map((rate) => element('option', { value: String(rate), selected: rate === 1 }, `${numberText(rate)}×`)),
  );
  speed.addEventListener('change', () => actions.setSpeed(Number(speed.value)));
  const loop = toggle('sync', strings['loop'] ?? '', actions.toggleLoop);
  const follow = toggle('target', strings['follow'] ?? '', actions.toggleFollow);

  return {
    elements: [play, clock, seekBar.element, speed, loop, follow],
    update({ seconds, duration, speed: rate, isPlaying, isLooping, isFollowing }) {
      const label = strings[isPlaying ? 'pause' : 'play'] ?? '';
      if (play.title !== label) {
        play.title = label;
        play.setAttribute('aria-label', label);
        play.firstElementChild?.setAttribute('class', `codicon codicon-${isPlaying ? 'debug-pause' : 'play'}`);
      }
      const time = `${formatTime(seconds)} / ${formatTime(duration)}`;
      if (clock.textContent !== time) clock.textContent = time;
      seekBar.update(seconds, duration);
      speed.value = String(rate);
      loop.setAttribute('aria-pressed', String(isLooping));
      follow.setAttribute('aria-pressed', String(isFollowing));
    },
    showPeaks: seekBar.showPeaks,
  };
}

/** A button that is pressed or not, as those of VS Code's own find box. */
function toggle(icon: string, label: string, onclick: () => void): HTMLButtonElement {
  const button = iconButton(icon, label, onclick);
  button.classList.add('toggle');
  return button;
}

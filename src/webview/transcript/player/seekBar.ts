import { element } from '../../parts/dom.ts';
import { formatTime } from '../../shared/formatTime.ts';
import type { PageContext } from '../pageContext.ts';
import { waveformPath } from './waveform.ts';

/** The slider of the player, over the waveform where it is known. */
export interface SeekBar {
  readonly element: HTMLElement;
  /** @param duration in seconds; 0 while it is not known */
  update(seconds: number, duration: number): void;
  showPeaks(peaks: readonly number[]): void;
}

/** More columns than pixels would be drawn for nobody. */
const mostColumns = 800;
const svgNamespace = 'http://www.w3.org/2000/svg';

/** @param onSeek called with the place to go to, in seconds */
export function createSeekBar({ strings, phrase }: PageContext, onSeek: (seconds: number) => void): SeekBar {
  const slider = element('input', {
    class: 'seek-slider',
    type: 'range',
    min: '0',
    max: '0',
    step: 'any',
    'aria-label': strings['position'],
    title: strings['position'],
  });
  const [all, played] = [element('div', { class: 'seek-all' }), element('div', { class: 'seek-played' })];
  for (const track of [all, played]) track.setAttribute('aria-hidden', 'true');
  const bar = element('div', { class: 'seek' }, all, played, slider);
  slider.addEventListener('input', () => onSeek(slider.valueAsNumber));
  let said = '';

  return {
    element: bar,
    update(seconds, duration) {
      slider.max = String(duration);
      slider.value = String(seconds);
      bar.style.setProperty('--played', String(duration > 0 ? Math.min(1, seconds / duration) : 0));
      const place = phrase('positionOf', formatTime(seconds), formatTime(duration));
      if (place === said) return;
      said = place;
      slider.setAttribute('aria-valuetext', place);
    },
    showPeaks(peaks) {
      if (peaks.length === 0) return;
      bar.classList.add('with-waveform');
      for (const track of [all, played]) track.replaceChildren(waveform(peaks));
    },
  };
}

function waveform(peaks: readonly number[]): SVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  svg.setAttribute('viewBox', `0 0 ${Math.min(peaks.length, mostColumns)} 2`);
  svg.setAttribute('preserveAspectRatio', 'none');
  path.setAttribute('d', waveformPath(peaks, mostColumns));
  svg.append(path);
  return svg;
}

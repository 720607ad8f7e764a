/** The page of a translated recording: a player, the text, and buttons for it. */

import { element, labelButton } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import type { FromTranscriptPanel, Strings, ToTranscriptPanel, TranscriptView } from '../shared/protocol.ts';
import { renderPlayer } from './player.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromTranscriptPanel): void;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const post = (message: FromTranscriptPanel): void => vscode.postMessage(message);
const root = document.getElementById('root') ?? document.body;

/** Shows "Copied"; replaced when the page is drawn anew. */
let showCopied = (): void => {};

window.addEventListener('message', ({ data }: MessageEvent<ToTranscriptPanel>) => {
  if (data.type === 'show') show(data.strings, data.transcript);
  else if (data.type === 'fail') showFailure(data.strings, data.fileName, data.sentence);
  else showCopied();
});
post({ type: 'ready' });

function show(strings: Strings, transcript: TranscriptView): void {
  vscode.setState(transcript.state);
  const player = renderPlayer(transcript, strings, post);
  root.replaceChildren(
    element('header', {}, element('h1', {}, transcript.fileName), element('p', { class: 'about' }, transcript.about)),
    ...renderNote(transcript, strings),
    player.element,
    renderActions(strings, transcript.text === ''),
    renderText(transcript, strings, player.seek),
  );
  showUnseen(root);
  const rows = [...root.querySelectorAll('.segment')];
  player.onTime((seconds) => {
    for (const [index, { start, end }] of transcript.segments.entries()) {
      if (seconds >= start && seconds < end) rows[index]?.setAttribute('aria-current', 'true');
      else rows[index]?.removeAttribute('aria-current');
    }
  });
}

/** The note that the text is not what was asked for, above all else. */
function renderNote({ note }: TranscriptView, strings: Strings): HTMLElement[] {
  if (note === undefined) return [];
  const open = labelButton(strings['openExtraFields'], 'settings-gear', () => post({ type: 'openExtraFields' }));
  return [element('div', { class: 'note', role: 'note' }, element('p', {}, note), open)];
}

function showFailure(strings: Strings, fileName: string, sentence: string): void {
  const translate = labelButton(strings['translate'], 'sync', () => post({ type: 'translate' }));
  root.replaceChildren(
    element('h1', {}, fileName),
    element('div', { class: 'failure', role: 'alert' }, element('p', {}, sentence), translate),
  );
}

function renderActions(strings: Strings, isEmpty: boolean): HTMLElement {
  const status = element('span', { class: 'status', role: 'status' });
  showCopied = () => {
    status.textContent = strings['copied'] ?? '';
  };
  const actions = [
    labelButton(strings['copy'], 'copy', () => {
      // The status is emptied first, so that a screen reader says it each time.
      status.textContent = '';
      post({ type: 'copy' });
    }),
    labelButton(strings['saveTxt'], 'save', () => post({ type: 'save', format: 'txt' })),
    labelButton(strings['saveMd'], 'markdown', () => post({ type: 'save', format: 'md' })),
  ];
  for (const action of actions) action.disabled = isEmpty;
  return element(
    'div',
    { class: 'actions', role: 'group', 'aria-label': strings['actions'] ?? '' },
    ...actions,
    status,
  );
}

function renderText(
  { text, segments }: TranscriptView,
  strings: Strings,
  seek: ((seconds: number) => void) | undefined,
): HTMLElement {
  const label = { 'aria-label': strings['transcript'] ?? '' };
  if (text === '') return element('section', label, element('p', { class: 'empty' }, strings['empty'] ?? ''));
  if (segments.length === 0) {
    const paragraphs = text.split(/\n+/).filter((line) => line.trim() !== '');
    return element('section', { ...label, class: 'text' }, ...paragraphs.map((line) => element('p', {}, line)));
  }
  const rows = segments.map(({ start, time, text: words }) => {
    const place = seek
      ? labelButton(
          time,
          undefined,
          () => seek(start),
          (strings['playFrom'] ?? '{0}').replace('{0}', () => time),
        )
      : element('span', {}, time);
    place.classList.add('time');
    return element('li', { class: 'segment' }, place, element('p', {}, words));
  });
  return element('section', { ...label, class: 'text' }, element('ol', { class: 'segments' }, ...rows));
}

/** The page of a translated recording: a player that stays in sight, the lines, and what can be done with them. */

import { element, labelButton } from '../parts/dom.ts';
import { showUnseen } from '../parts/unseen.ts';
import type { Strings } from '../shared/protocol/protocol.ts';
import type {
  FromTranscriptPanel,
  ToTranscriptPanel,
  TranscriptState,
  TranscriptView,
} from '../shared/protocol/transcriptProtocol.ts';
import { listenToKeys } from './pageKeys.ts';
import { createSoundDecoder } from './sound/soundDecoder.ts';
import { createTranscriptPage, type KeptState, type TranscriptPage } from './transcriptPage.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromTranscriptPanel): void;
  getState(): TranscriptState | undefined;
  setState(state: TranscriptState): void;
};

const vscode = acquireVsCodeApi();
const post = (message: FromTranscriptPanel): void => vscode.postMessage(message);
const sound = createSoundDecoder();
const root = document.getElementById('root') ?? document.body;
/** The page as it is shown; undefined while there is none. */
let page: TranscriptPage | undefined;

window.addEventListener('message', ({ data }: MessageEvent<ToTranscriptPanel>) => {
  if (data.type === 'show') show(data.strings, data.transcript);
  else if (data.type === 'fail') {
    page = undefined;
    showFailure(data.strings, data.fileName, data.sentence);
  } else page?.receive(data);
});
listenToKeys(() => page?.keys);
document.addEventListener('copy', (event) => page?.copy(event));
post({ type: 'ready' });

function show(strings: Strings, transcript: TranscriptView): void {
  const { sha256, path, task, version } = transcript.state;
  const saved = vscode.getState();
  const isSame = saved?.sha256 === sha256 && saved.path === path && saved.task === task;
  const { edits, ...place }: TranscriptState = isSame ? saved : { sha256, path, ...(task && { task }) };
  // Edits are taken back in the translation that they were made in.
  let state: TranscriptState = {
    ...place,
    ...(version !== undefined && { version }),
    ...(edits !== undefined && place.version === version && { edits }),
  };
  const save = (kept: KeptState): void => {
    state = { ...state, ...kept };
    vscode.setState(state);
  };
  save({});
  const open = page?.edits.suspend();
  page = createTranscriptPage(root, strings, transcript, state, { post, save, sound });
  if (open !== undefined) page.edits.resume(open);
}

function showFailure(strings: Strings, fileName: string, sentence: string): void {
  const translate = labelButton(strings['translate'], 'sync', () => post({ type: 'translate' }));
  translate.className = 'button';
  const failure = element('div', { class: 'failure', role: 'alert' }, element('p', {}, sentence), translate);
  root.replaceChildren(element('div', { class: 'head' }, element('h1', {}, fileName), failure));
  showUnseen(root);
}

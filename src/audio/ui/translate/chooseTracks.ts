import { l10n } from 'vscode';
import { window } from '../../../editor/text/window.ts';
import type { TrackQuestion } from '../../jobs/sending/estimateSending.ts';
import type { ChosenTracks } from '../../recording/chosenTracks.ts';
import { trackText } from './trackText.ts';

/** Lets the user choose a track of each recording that has several. One that is not chosen stays as it was. */
export async function chooseTracks(several: readonly TrackQuestion[], tracks: ChosenTracks): Promise<void> {
  for (const { recording, tracks: meant, chosen } of several) {
    const items = meant.map((track) => ({
      label: trackText(track),
      description: track.number === chosen.number ? l10n.t('chosen') : '',
      track,
    }));
    const title = l10n.t('Track of {0}', recording.fileName);
    const placeHolder = l10n.t('Pick the track to translate');
    const picked = await window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
    if (picked === undefined) return;
    tracks.choose(recording, picked.track.number);
  }
}

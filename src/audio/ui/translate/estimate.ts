import { l10n } from 'vscode';
import { estimateTokens } from '../../../base/tokens.ts';
import { withLateProgress } from '../../../editor/progress.ts';
import type { Candidate } from '../../jobs/translate.ts';
import type { RecordingWork } from '../../jobs/translateRecording.ts';
import { isSentWhole } from '../../jobs/translateRecording.ts';
import { envelopeBytes } from '../../jobs/uploadLimit.ts';
import type { SendingEstimate } from './confirmSending.ts';

/** How much is to be sent: the length of recordings that do not tell it in their first bytes is read from the whole file. */
export async function estimateSending(
  candidates: readonly Candidate[],
  { limit, openSplit, promptFor }: Pick<RecordingWork, 'limit' | 'openSplit' | 'promptFor'>,
): Promise<SendingEstimate> {
  let [seconds, unknown, requests] = [0, 0, 0];
  await withLateProgress(l10n.t('Reading recordings…'), async (signal) => {
    for (const { recording } of candidates) {
      const length = recording.format.durationSeconds ?? (await lengthOf(recording, openSplit, signal));
      seconds += length ?? 0;
      unknown += length === undefined ? 1 : 0;
      requests += isSentWhole(recording, limit.bytes) ? 1 : Math.ceil(recording.size / (limit.bytes - envelopeBytes));
    }
  });
  return { recordings: candidates.length, seconds, unknown, requests, promptTokens: estimateTokens(promptFor([])) };
}

async function lengthOf(
  recording: Candidate['recording'],
  openSplit: RecordingWork['openSplit'],
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const split = await openSplit(recording, signal);
    await split.close();
    return split.durationSeconds;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

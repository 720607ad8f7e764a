import { describeForLog } from '../../../../editor/log.ts';
import type { Services } from '../../../../editor/services.ts';
import type {
  CheckView,
  FromTranscriptPanel,
  ToTranscriptPanel,
} from '../../../../webview/shared/protocol/transcriptProtocol.ts';
import { findSegment } from '../../../transcript/editTranscript.ts';
import { tickSegment } from '../../../transcript/segmentNotes.ts';
import type { Transcript } from '../../../transcript/transcript.ts';
import { checksOf } from '../qualityChecks.ts';
import type { Transcripts } from '../transcripts.ts';

/** The places worth checking as a page has them. */
export interface PanelChecks {
  /** The places of a transcript that is to be shown. */
  first(transcript: Transcript | undefined): Promise<readonly CheckView[]>;
  /** Tells the page the places, where they are others by now. */
  follow(transcript: Transcript): Promise<void>;
  /** Keeps that a place was ticked off, and tells the page what is kept. */
  tick(message: Extract<FromTranscriptPanel, { type: 'tick' }>): Promise<void>;
}

export function createPanelChecks(
  sha256: string,
  { services, transcripts }: { readonly services: Services; readonly transcripts: Transcripts },
  send: (message: ToTranscriptPanel) => unknown,
): PanelChecks {
  let told = '';
  let newest: Transcript | undefined;

  async function find(transcript: Transcript | undefined): Promise<readonly CheckView[]> {
    newest = transcript;
    return transcript === undefined ? [] : checksOf(transcript);
  }

  /** What was found of an older text is not told. */
  async function tell(transcript: Transcript, always: boolean): Promise<void> {
    const checks = await find(transcript);
    const all = JSON.stringify(checks);
    if (newest !== transcript || (all === told && !always)) return;
    told = all;
    send({ type: 'checks', checks });
  }

  return {
    async first(transcript) {
      const checks = await find(transcript);
      told = JSON.stringify(checks);
      return checks;
    },
    follow: (transcript) => tell(transcript, false),
    async tick(message) {
      let kept: Transcript | undefined;
      try {
        kept = await transcripts.edit(sha256, (now) => {
          const segment = findSegment(now, message);
          return segment === undefined ? now : tickSegment(now, segment, message.isChecked);
        });
      } catch (error) {
        services.log.error(describeForLog(error));
        void services.notices.error(error);
        kept = await transcripts.get(sha256);
      }
      if (kept !== undefined) await tell(kept, true);
    },
  };
}

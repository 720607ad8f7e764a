import { proveSoundAlone, type SoundAlone } from '../../src/audio/jobs/soundAlone.ts';
import type { Recording } from '../../src/audio/recording/recording.ts';

/** What a look through a recording gives, where a test says what it shows. */
export function proveAlone(isAlone = true) {
  const looker = { of: () => ({ look: async () => ({ isAlone }), close: async () => {} }) };
  return (recording: Recording, signal: AbortSignal): Promise<SoundAlone | undefined> =>
    proveSoundAlone(looker, recording, signal);
}

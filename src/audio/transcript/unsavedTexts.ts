import type { Journal } from './journal.ts';
import type { Transcript } from './transcript.ts';

/** The most texts that are held for a disk that takes none. */
const mostHeld = 20;

/** The same journal, which holds what the disk did not take, until it does or the window ends: nothing is paid for twice. */
export function holdingUnsaved(journal: Journal): Journal {
  /** By the SHA-256 of their recordings, the oldest first. */
  const held = new Map<string, Transcript>();

  async function holding(transcript: Transcript, write: Promise<void>): Promise<void> {
    const { sha256 } = transcript;
    try {
      await write;
      held.delete(sha256);
    } catch (error) {
      held.delete(sha256);
      held.set(sha256, transcript);
      const [oldest] = held.keys();
      if (held.size > mostHeld && oldest !== undefined) held.delete(oldest);
      throw error;
    }
  }

  return {
    ...journal,
    save: (transcript, file) => holding(transcript, journal.save(transcript, file)),
    async update(transcript) {
      await journal.update(transcript);
      held.delete(transcript.sha256);
    },
    get: async (sha256) => held.get(sha256) ?? journal.get(sha256),
    async remove(sha256) {
      held.delete(sha256);
      await journal.remove(sha256);
    },
  };
}

import type { AudioTask } from '../../service/audio/audio.ts';

/** A text of a recording: its translation, or what is said as it is spoken. */
export interface TextName {
  readonly sha256: string;
  /** Absent for a translation. */
  readonly task?: 'transcribe' | undefined;
}

const ending = '.spoken';

/** The name of a text among all that are kept. That of a translation is the hash of its recording, as older versions have it. */
export const textIdOf = ({ sha256, task }: TextName): string => (task === undefined ? sha256 : sha256 + ending);

export function readTextId(id: string): TextName {
  return id.endsWith(ending) ? { sha256: id.slice(0, -ending.length), task: 'transcribe' } : { sha256: id };
}

/** The name of the other text of the same recording. */
export const otherText = ({ sha256, task }: TextName): TextName =>
  task === undefined ? { sha256, task: 'transcribe' } : { sha256 };

export const taskOf = ({ task }: Pick<TextName, 'task'>): AudioTask => task ?? 'translate';

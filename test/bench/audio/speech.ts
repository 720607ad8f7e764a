import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomFrom } from '../../support/recordings.ts';
import { sox, speak } from './tools.ts';

/** Speech as it was made, and as it sounds in a room. */
export interface Speech {
  /** A WAV with a fan in the background. */
  path: string;
  /** Whether nothing is said around a time, in seconds. */
  isPause(time: number): boolean;
}

const sentences: readonly (readonly [voice: string, text: string])[] = [
  ['en', 'The meeting was opened at nine in the morning by the chair of the board.'],
  ['en-us', 'Minutes of the last session were approved without any objection.'],
  ['de', 'Der Umsatz im Norden ist in diesem Quartal um sieben Prozent gestiegen.'],
  ['fr', 'Les frais de transport ont absorbé presque tout le bénéfice.'],
  ['es', '¿Sabe alguien cuándo estará listo el nuevo almacén?'],
  ['it', 'Il pavimento deve asciugare per altre tre settimane.'],
  ['en', 'We should ask for that in writing and for a fixed date.'],
  ['de', 'Ich schlage vor die zweite Lieferung in den Hafen zu verlegen.'],
  ['en-us', 'Which of the two harbours do you mean and why?'],
  ['fr', 'Le vieux port parce que les grues y sont plus fortes.'],
  ['es', 'Entonces hay que hablar con la aduana esta misma tarde.'],
  ['en', 'It has been repaired twice this winter and it failed again on Sunday.'],
  ['it', 'Una caldaia nuova costa circa quarantamila euro.'],
  ['en-us', 'Let us get three offers and decide at the next meeting.'],
  ['de', 'Wer dafür ist hebe bitte die Hand.'],
  ['en', 'She sells several thousand shells so the stores in Sussex say.'],
];
const rate = 44_100;
/** How often the sentences are said, each time at another speed and with other pauses. */
const times = 8;

/** Makes some ten minutes of speech in a folder: sentences with pauses between, and the noise of a room. */
export async function makeSpeech(folder: string): Promise<Speech> {
  const random = randomFrom(3);
  const parts: string[] = [];
  for (let i = 0; i < sentences.length * times; i++) {
    const [voice, text] = sentences[i % sentences.length] ?? ['en', 'Nothing.'];
    const [raw, said, pause] = ['raw', 'said', 'pause'].map((name) => join(folder, `${name}${i}.wav`)) as [
      string,
      string,
      string,
    ];
    await speak(raw, voice, 140 + Math.round(50 * random()), text);
    // The silence that a voice ends with is taken off: pauses are those that are put in.
    const trim = ['silence', '1', '0.01', '0.5%', 'reverse'];
    await sox(raw, '-r', String(rate), '-c', '1', '-b', '16', said, 'gain', '-n', '-6', ...trim, ...trim);
    await sox('-n', '-r', String(rate), '-c', '1', '-b', '16', pause, 'trim', '0', (0.35 + 0.9 * random()).toFixed(3));
    parts.push(said, pause);
  }
  const dry = join(folder, 'dry.wav');
  await sox(...parts, dry);
  const samples = samplesIn(await readFile(dry));
  const noise = join(folder, 'noise.wav');
  // Some 24 dB under the speech, as of a fan in the same room.
  await sox(
    '-R',
    '-n',
    '-r',
    String(rate),
    '-c',
    '1',
    '-b',
    '16',
    noise,
    'synth',
    String(samples.length / rate),
    'pinknoise',
    'gain',
    '-36',
  );
  const path = join(folder, 'speech.wav');
  await sox('-R', '-m', '-v', '0.7', dry, '-v', '1', noise, path);
  return { path, isPause: (time) => isSilent(samples, time) };
}

function samplesIn(wav: Buffer): Int16Array {
  const at = wav.indexOf('data') + 8;
  return new Int16Array(wav.buffer.slice(wav.byteOffset + at, wav.byteOffset + wav.length - ((wav.length - at) % 2)));
}

/** Seconds around a time in which nothing may be said, and the height of a sample that is nothing. */
const [margin, nothing] = [0.04, 100];

function isSilent(samples: Int16Array, time: number): boolean {
  const near = samples.subarray(Math.max(0, Math.round((time - margin) * rate)), Math.round((time + margin) * rate));
  return near.every((sample) => Math.abs(sample) <= nothing);
}

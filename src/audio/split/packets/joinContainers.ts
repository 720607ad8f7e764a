import { bytesOf, type Container } from '../container.ts';
import type { Loudness } from '../levels/level.ts';

/**
 * Sounds one after another as one: each begins where the one before it ends. Those of one kind, which one file can hold, are one part;
 * where there are several parts, no piece may reach from one into the next.
 * @param close closes the file that all of them are in
 */
export function joinContainers(sounds: readonly [Container, ...Container[]], close: () => Promise<void>): Container {
  let end = sounds[0].start;
  const shifted = sounds.map((sound) => {
    const moved = shift(sound, end - sound.start);
    end = moved.end;
    return moved;
  });
  const groups: [Container, ...Container[]][] = [];
  for (const sound of shifted) {
    const group = groups.at(-1);
    if (group !== undefined && isSameKind(group[0], sound)) group.push(sound);
    else groups.push([sound]);
  }
  const parts = groups.map((group) => inOrder(group, close));
  const [first] = parts as [Container, ...Container[]];
  return parts.length === 1 ? first : { ...inOrder(parts as [Container, ...Container[]], close), parts };
}

/** Whether the packets of two sounds can follow one another in one file. */
function isSameKind(a: Container, b: Container): boolean {
  const isSame = a.codec === b.codec && a.sampleRate === b.sampleRate && a.channels === b.channels;
  return isSame && a.form === b.form && kindOf(a).equals(kindOf(b));
}

/** What a decoder is told: of FLAC, what does not count the samples of one file. */
function kindOf({ codec, config }: Container): Buffer {
  const bytes = bytesOf(config?.description);
  if (codec !== 'flac') return bytes;
  const at = bytes.toString('latin1', 0, 4) === 'fLaC' ? 8 : 0;
  // Rate, channels and bits; the length of a block is the first four bytes.
  return Buffer.concat([bytes.subarray(at, at + 4), bytes.subarray(at + 10, at + 13)]);
}

function shift(sound: Container, by: number): Container {
  if (by === 0) return sound;
  return {
    ...sound,
    start: sound.start + by,
    end: sound.end + by,
    ...(sound.promised === undefined ? {} : { promised: sound.promised + by }),
    packetStart: (time) => sound.packetStart(time - by) + by,
    packetCount: (from, to) => sound.packetCount(from - by, to - by),
    byteCount: (from, to) => sound.byteCount(from - by, to - by),
    reach: (from, mostBytes, each) => sound.reach(from - by, mostBytes, each) + by,
    async levels(from, to, signal) {
      const levels = await sound.levels(from - by, to - by, signal);
      return levels?.map(({ start, end, decibels }) => ({ start: start + by, end: end + by, decibels }));
    },
    async *packets(from, to, signal) {
      for await (const packet of sound.packets(from - by, to - by, signal)) yield { ...packet, time: packet.time + by };
    },
  };
}

/** Two times that are nearer than this are the same. */
const sameTime = 1e-6;

function inOrder(sounds: readonly [Container, ...Container[]], close: () => Promise<void>): Container {
  const [first] = sounds;
  const last = sounds.at(-1) ?? first;
  const at = (time: number): Container => sounds.findLast(({ start }) => start <= time + sameTime) ?? first;
  /** The sounds that a time span reaches into. */
  const within = (from: number, to: number): Container[] =>
    sounds.filter(({ start, end }) => end > from + sameTime && start < to - sameTime);
  const sum = (from: number, to: number, of: 'packetCount' | 'byteCount'): number =>
    within(from, to).reduce((all, sound) => all + sound[of](from, to), 0);
  return {
    ...first,
    hasPictures: sounds.some(({ hasPictures }) => hasPictures),
    preRoll: Math.max(...sounds.map(({ preRoll }) => preRoll)),
    end: last.end,
    promised: last.promised,
    packetStart: (time) => at(time).packetStart(time),
    packetCount: (from, to) => sum(from, to, 'packetCount'),
    byteCount: (from, to) => sum(from, to, 'byteCount'),
    reach(from, mostBytes, each) {
      let left = mostBytes;
      let reached = from;
      for (const sound of sounds.slice(sounds.indexOf(at(from)))) {
        const start = Math.max(from, sound.start);
        reached = sound.reach(start, left, each);
        if (reached < sound.end - sameTime) break;
        left -= sound.byteCount(start, sound.end) + sound.packetCount(start, sound.end) * each;
      }
      return reached;
    },
    async levels(from, to, signal) {
      const all: Loudness[] = [];
      for (const sound of within(from, to)) {
        const levels = await sound.levels(Math.max(from, sound.start), Math.min(to, sound.end), signal);
        if (levels !== undefined) all.push(...levels);
      }
      return all.length === 0 ? undefined : all;
    },
    async *packets(from, to, signal) {
      for (const sound of within(from, to)) yield* sound.packets(from, to, signal);
    },
    async close() {
      for (const sound of sounds) await sound.close();
      await close();
    },
  };
}

import type { DatabaseSync } from 'node:sqlite';
import { embeddedText } from '../../chunker/outline.ts';
import type { Place } from '../../types.ts';
import { query } from '../rows.ts';
import type { SoundChunks } from './soundChunks.ts';

/** A text without a vector, and its hash. */
export interface EmbedItem {
  hash: Uint8Array;
  text: string;
}

/** The parts of a chunk that ranking needs. */
export interface ChunkOutline {
  id: number;
  root: string;
  path: string;
  /** Names the chunk defines. */
  names: readonly string[];
  /** Those that are types, declared in it. */
  types?: readonly string[];
  /** Those that are declared elsewhere, and only added to in it. */
  mentions?: readonly string[];
}

/** A chunk as a search returns it. */
export interface StoredChunk {
  id: number;
  root: string;
  path: string;
  startLine: number;
  endLine: number;
  text: string;
}

/** Reads the chunks of an index, except those whose text is corrupted. */
export interface ChunkReader {
  outline(id: number): ChunkOutline | undefined;
  chunk(id: number): StoredChunk | undefined;
  /** The chunks of a file that contain any of these lines. */
  chunksAt(place: Place): (StoredChunk & { hash: Uint8Array })[];
  /** The texts to send for these chunks, read lazily. Chunks deleted meanwhile are left out. */
  itemsOf(ids: readonly number[]): Iterable<EmbedItem>;
}

/** Reads the chunks of an index. */
export function createChunkReader(database: DatabaseSync, sound: SoundChunks): ChunkReader {
  const readOutline = query(
    database,
    'SELECT f.root, f.path, c.names FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?',
    { root: 'text', path: 'text', names: 'text' },
  );
  const findAt = query(
    database,
    `SELECT c.id FROM chunks c JOIN files f ON f.id = c.file
     WHERE f.root = ? AND f.path = ? AND c.start_line <= ? AND c.end_line >= ? ORDER BY c.start_line, c.id`,
    { id: 'number' },
  );

  function read(id: number): (StoredChunk & { hash: Uint8Array }) | undefined {
    const row = sound.read(id);
    if (row === undefined) return undefined;
    const { root, path, start_line: startLine, end_line: endLine, text, hash } = row;
    return { id, root, path, startLine, endLine, text, hash };
  }

  return {
    outline(id) {
      const row = readOutline.get(id);
      return row && { id, root: row.root, path: row.path, ...readNames(row.names) };
    },
    chunk(id) {
      const chunk = read(id);
      if (chunk === undefined) return undefined;
      const { hash: _, ...rest } = chunk;
      return rest;
    },
    chunksAt({ root, path, startLine, endLine }) {
      return findAt.all(root, path, endLine, startLine).flatMap(({ id }) => read(id) ?? []);
    },
    *itemsOf(ids) {
      for (const id of ids) {
        const row = sound.read(id);
        if (row === undefined) continue;
        yield { hash: row.hash, text: embeddedText(row.path, linesOf(row.enclosing), row.text) };
      }
    },
  };
}

/** The signs before the names of a chunk, as they are stored: no name begins with one. */
export const roleSigns = { type: '"', mention: "'" } as const;

/** The names that a chunk declares, as they are stored: with those that are types, and those that it only adds to. */
export function readNames(text: string): Pick<ChunkOutline, 'names' | 'types' | 'mentions'> {
  const lines = linesOf(text);
  const marked = (sign: string): string[] =>
    lines.flatMap((line) => (line.startsWith(sign) ? line.slice(sign.length) : []));
  const names = lines.map((line) => line.replace(/^["']/, ''));
  return { names, types: marked(roleSigns.type), mentions: marked(roleSigns.mention) };
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

import * as z from 'zod/mini';

/**
 * What another program of this user asks of a window: the vector of a text. One line of JSON goes each way, over a socket of this machine.
 * The key stays in the window, which goes by its own consent.
 */
export interface VectorQuestion {
  /** Good for one question: the window makes a new one before it answers. */
  readonly token: string;
  readonly text: string;
  /** The space (`spaceKey`) that the vector is compared in: a window that has chosen another model refuses. */
  readonly space: string;
}

/** Why a window gives no vector: the token was used by another, the model is another one, nothing may be sent, the service failed. */
export type VectorRefusal = 'token' | 'model' | 'consent' | 'service';

export type VectorReply = { readonly vector: string } | { readonly refused: VectorRefusal };

const question = z.object({ token: z.string(), text: z.string(), space: z.string() });
const reply = z.union([
  z.object({ vector: z.string() }),
  z.object({ refused: z.enum(['token', 'model', 'consent', 'service']) }),
]);
const announcement = z.object({ pid: z.int(), directory: z.string(), socket: z.string(), token: z.string() });

/** What a window tells of itself, in a file that only this user can read. */
export interface WindowAnnouncement {
  readonly pid: number;
  /** The folder of the index that it has open. */
  readonly directory: string;
  /** Path of a Unix socket, or name of a pipe of Windows. */
  readonly socket: string;
  readonly token: string;
}

/** The longest line that is read, in characters: a question of 10,000 letters, each escaped, or a vector of 8,000 numbers. */
export const longestLine = 128 * 1024;

export const readQuestion = (line: string): VectorQuestion | undefined => read(question, line);
export const readReply = (line: string): VectorReply | undefined => read(reply, line);
export const readAnnouncement = (text: string): WindowAnnouncement | undefined => read(announcement, text);

function read<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A vector as it goes over the wire: its numbers as 32-bit floats, little-endian, in Base64. */
export function vectorText(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
}

export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

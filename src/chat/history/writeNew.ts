import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { writeWhole } from '../../base/privateFiles.ts';
import type { Action } from '../conversation/conversation.ts';
import { logLine } from './logLine.ts';

/** The name of a file on its way into place, which a killed process leaves. */
export const temporaryName = /\.jsonl?(\.[\da-f-]{36})+$/;

/**
 * Writes the file of a conversation that is there as a whole: all of it is in its place, or nothing. Of two windows that do so at
 * once, the first one's stands.
 * @param writer the name of this window in its lines
 * @returns whether the file is this one
 */
export async function writeNew(path: string, writer: string, actions: readonly Action[]): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  await writeWhole(temporary, linesOf(writer, actions));
  try {
    await link(temporary, path);
    return true;
  } catch {
    // Some disks have no links.
    if (existsSync(path)) return false;
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The lines are made one by one: a conversation can be long. */
function* linesOf(writer: string, actions: readonly Action[]): Iterable<string> {
  for (const action of actions) yield logLine({ writer, action });
}

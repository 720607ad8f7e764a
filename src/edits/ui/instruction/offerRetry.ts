import { commands } from 'vscode';
import { Command } from '../../../ids/ids.ts';
import type { EditRequest } from '../target.ts';
import { type TrackedLines, trackLines } from '../trackedLines.ts';

/** The lines are followed for as long as the message stands, and Retry is an edit like any other. */
export async function offerRetry(
  { document, range }: TrackedLines,
  instruction: string,
  tell: (retry: () => unknown) => Promise<void>,
): Promise<void> {
  const failed = trackLines(document, range);
  const again = (): EditRequest => ({ uri: document.uri, lines: failed.range, instruction });
  try {
    await tell(() => commands.executeCommand(Command.editStart, again()));
  } finally {
    failed.dispose();
  }
}

import type { Uri } from 'vscode';
import { isJsonObject } from '../../base/jsonText.ts';
import type { UnclearBlock } from '../ask/furtherQuestion.ts';
import { readChange } from '../ask/readEditCalls.ts';
import { sharedPath } from './documentNames.ts';
import type { EditParts } from './editParts.ts';
import { linesOfAll, openFile } from './openNamed.ts';
import { type KnownFile, proposedFiles } from './proposedFiles.ts';

/**
 * Shows changes of an agent, as the tool takes them. Nothing is written: the user decides later.
 * @param find finds the file at a path, which is where a new one goes, too
 * @returns what to tell the agent
 * @throws Error with a sentence for the agent, when nothing is shown
 */
export async function proposeAgentChanges(
  { planner, reviews }: Pick<EditParts, 'planner' | 'reviews'>,
  given: readonly unknown[],
  title: string,
  find: (path: string) => Promise<Uri | undefined>,
): Promise<string> {
  const changes = given.flatMap((each) => {
    const read = readChange(each);
    if (read.length === 0) throw new Error(unreadable(each));
    return read;
  });
  const name = given.some((each) => isJsonObject(each) && 'oldText' in each) ? 'oldText' : 'old_text';
  const known = new Map<string, KnownFile>();
  for (const path of new Set(changes.map((each) => each.path))) {
    const file = await openFile(path, find, reviews);
    if (file === undefined) continue;
    if (!('lines' in file)) throw new Error(`${path} can only be read.`);
    known.set(path, file);
  }
  const plan = await planner.plan('changes', { changes, files: linesOfAll(known) });
  if (plan.kind === 'nothing') throw new Error('The files are like this already.');
  if (plan.kind === 'unresolved') throw new Error(mendable('not-found', name));
  const [unplaced] = plan.unplaced;
  if (unplaced !== undefined)
    throw new Error([unplaced.path, mendable(unplaced.reason, name)].filter(Boolean).join(': '));
  const files = await proposedFiles(plan.files, known);
  if (typeof files === 'string') throw new Error(files);
  await reviews.propose({ title, instruction: '', files });
  const paths = plan.files.map(({ path }) => path).join(', ');
  const texts = files.map(({ uri }) => `${sharedPath(uri)}\n${reviews.pendingExcerptOf(uri)}`);
  const told = `Shown to the user, who decides on each change; nothing is written yet. Files: ${paths}`;
  return [told, 'Further changes build on this text, which has all that is proposed:', ...texts].join('\n\n');
}

/** Why a change has no place, for an agent, which can mend it. @param name by which it gave the old text */
function mendable(reason: UnclearBlock['reason'], name: string): string {
  const sentences: Readonly<Record<UnclearBlock['reason'], string>> = {
    ambiguous: `An ${name} stands in its file more than once, or two changes overlap: give more lines.`,
    'unknown-file': 'A file is not in the workspace. For a new file give content.',
    'not-found': `An ${name} is not in its file. Read the file again, and give its lines as they are.`,
    empty: 'A change has no text.',
    broken: 'A change cannot be made.',
    'left-out': 'A change leaves code out, and it is not sure which. Give all of its lines.',
  };
  return sentences[reason];
}

function unreadable(change: unknown): string {
  const path = isJsonObject(change) && typeof change['path'] === 'string' ? change['path'] : 'A change';
  return `${path}: give old_text and new_text, or content, or delete, or rename.`;
}

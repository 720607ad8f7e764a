import { isCancelled, ServiceError } from '../../../base/errors.ts';
import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import { readInstructions } from '../../../editor/files/instructionFiles.ts';
import type { Services } from '../../../editor/services.ts';
import type { WorkspaceFiles } from '../../../workspace/workspaceFiles.ts';
import { commitMessages } from '../../commit/commitPrompt.ts';
import { fitDiff } from '../../commit/fitDiff.ts';
import type { GeneratedMessages } from '../../commit/generatedMessages.ts';
import type { GitRepository } from './gitExtension.ts';
import { createMessageBox } from './messageBox.ts';
import { readToCommit } from './readToCommit.ts';
import { requestMessage } from './requestMessage.ts';

/** Estimated tokens of the diff: the second size is for a model that cannot read the first. */
const sizes = [8_000, 2_000] as const;

/**
 * Writes a message for what is staged, or where nothing is for all changes, into the repository's box. Stopped, it leaves what came; after an error, what stood there before.
 * @param isAll whether the user wants it for all changes
 * @param run stops it; aborted here when the user types into the box
 * @throws ServiceError
 */
export async function writeMessage(
  services: Pick<Services, 'client' | 'connection' | 'notices'> & {
    readonly files: WorkspaceFiles;
    readonly generated: GeneratedMessages;
  },
  repository: GitRepository,
  run: AbortController,
  isAll = false,
): Promise<void> {
  const { connection, files, generated, notices } = services;
  const { signal } = run;
  const endpoint = await connection.endpoint('chat');
  const box = createMessageBox(repository, () => run.abort());
  const root = repository.rootUri.toString();
  const draft = generated.draftOf(root, box.former);
  let written = box.former;
  const write = (message: string): void => {
    written = message;
    box.write(message);
  };
  const ask = async (tokens: number, instructions: readonly InstructionFile[]): Promise<void> => {
    const staged = await readToCommit(files, repository, { notices, isAll }, signal);
    if (staged === undefined) return;
    const { text: diff, leftOut } = fitDiff(staged.changes, tokens);
    const question = { diff, more: staged.withheld + leftOut, subjects: staged.subjects, draft, instructions };
    await requestMessage(services, endpoint, commitMessages(question), signal, write);
  };
  try {
    await ask(sizes[0], await readInstructions()).catch((error) => {
      if (error instanceof ServiceError && error.kind === 'context-length') return ask(sizes[1], []);
      throw error;
    });
  } catch (error) {
    if (!isCancelled(error)) write(box.former);
    throw error;
  } finally {
    await box.settled();
    box.dispose();
    if (written !== box.former) generated.wrote(root, written, draft);
  }
}

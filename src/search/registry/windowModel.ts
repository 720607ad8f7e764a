import { ServiceError } from '../../base/errors.ts';
import { createTaskQueue } from '../../base/taskQueue.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import { spaceKey } from '../types.ts';
import type { IndexRecord } from './indexRecord.ts';
import { askWindows, type WindowAnswer } from './windows.ts';

/** What was asked of a window for an answer, and what came of it. */
export interface AskedWindow {
  /** `vector`, or why there is none. */
  readonly outcome: 'vector' | Extract<WindowAnswer, { refused: unknown }>['refused'];
  /** The origin of the service that the window sends a question to; absent where the editor recorded none. */
  readonly origin?: string | undefined;
}

/** The service that was sent the question, or may have been; undefined where nothing was sent. */
export function sentTo({ asked }: { readonly asked?: AskedWindow | undefined }): string | undefined {
  const isSent = asked !== undefined && ['vector', 'service', 'silent'].includes(asked.outcome);
  return isSent ? (asked.origin ?? 'the embedding service of the editor') : undefined;
}

/**
 * The model of an index, whose vectors come from a window; undefined where nothing may be sent. Questions wait for each other, as each needs a
 * token that no other uses.
 */
export function createWindowModel(
  data: string,
  { directory, source }: Pick<IndexRecord, 'directory' | 'source'>,
): (onAnswer: (asked: AskedWindow) => void) => EmbeddingModel | undefined {
  const inTurn = createTaskQueue();
  return (onAnswer) =>
    source && {
      ...source,
      embed: ([text = ''], signal) =>
        inTurn(async () => {
          const answer = await askWindows(data, directory, text, spaceKey(source), signal);
          onAnswer({ outcome: 'vector' in answer ? 'vector' : answer.refused, origin: source.origin });
          if ('refused' in answer) throw new ServiceError('refused');
          return [answer.vector];
        }, signal),
    };
}

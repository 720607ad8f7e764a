import type { Disposable, Event } from 'vscode';
import { streamingAnswers } from '../../conversation/conversation.ts';
import type { LiveConversation } from './liveConversation.ts';

/** An answer of another window that has not grown for so long, in milliseconds, is written by nobody: its window says more often that it lives. */
const patience = 60_000;

/**
 * Takes answers for cut off whose windows were killed while they wrote.
 * @param onTake each action of a conversation, of this window or another
 * @param onCut called when one was
 */
export function createAbandonedAnswers(
  onTake: Event<{ readonly conversation: LiveConversation }>,
  onCut: (conversation: LiveConversation) => void,
  patienceMs = patience,
): Disposable {
  const waiting = new Map<LiveConversation, NodeJS.Timeout>();
  const taken = onTake(({ conversation }) => {
    const { session } = conversation;
    clearTimeout(waiting.get(conversation));
    waiting.delete(conversation);
    if (session.busy || streamingAnswers(session.conversation).length === 0) return;
    const presume = (): void => {
      waiting.delete(conversation);
      session.presumeCut();
      onCut(conversation);
    };
    waiting.set(conversation, setTimeout(presume, patienceMs));
  });
  return {
    dispose() {
      taken.dispose();
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

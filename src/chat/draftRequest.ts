import { ServiceError } from '../base/errors.ts';
import { createServiceClient } from '../service/client.ts';
import type { FieldMemory } from '../service/compat/fieldMemory.ts';
import type { ServiceRequest, Transport } from '../service/transport/transport.ts';
import { createAsking, type NewQuestion } from './answering/asking.ts';
import { createRunningAnswers, type RunningAnswersOptions } from './answering/runningAnswers.ts';
import type { Conversation } from './conversation/conversation.ts';
import { createConversationState } from './conversation/conversationState.ts';

/**
 * The request that a question would send, the last one again where none is given; undefined where there is none. It is made by what
 * asks, in a copy of the conversation and over a transport that sends nothing.
 * @param memory what services are known to refuse
 * @throws ServiceError as asking would, before anything is sent
 */
export async function draftRequest(
  conversation: Conversation,
  question: NewQuestion | undefined,
  options: Omit<RunningAnswersOptions, 'client' | 'onTokens'>,
  memory: FieldMemory,
): Promise<ServiceRequest | undefined> {
  let drafted: ServiceRequest | undefined;
  const transport: Transport = {
    async send(request) {
      drafted = request;
      throw new ServiceError('cancelled');
    },
    close: async () => undefined,
  };
  const ignore = (): void => undefined;
  const state = createConversationState(conversation, {
    ...{ clock: options.clock, onAction: ignore, onPatches: ignore, onConfigure: ignore },
  });
  const client = createServiceClient(transport, memory);
  const running = createRunningAnswers(state, { ...options, client });
  const asking = createAsking(state, running, options.newId);
  const answer = await (question === undefined
    ? asking.retry()
    : asking.ask(question.text, question.attachments, { label: question.label }));
  const error = answer?.error;
  if (error === undefined) return drafted;
  if (error.kind === 'unexpected') throw new Error('The request could not be made.');
  throw new ServiceError(error.kind, error);
}

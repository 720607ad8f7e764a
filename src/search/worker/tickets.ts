import { ServiceError } from '../../base/errors.ts';
import type { EmbeddingModel } from '../embedding/embeddingModel.ts';
import type { TicketedModel } from './workerProtocol.ts';

/**
 * The embedding models of running calls. Their functions and address stay in the host; the worker refers to them by a
 * ticket.
 */
export interface Tickets {
  /** Gives the worker a ticket under which it may request vectors while the call runs. */
  withTicket<T>(
    embeddingModel: EmbeddingModel | undefined,
    work: (ticketed: TicketedModel | undefined) => Promise<T>,
  ): Promise<T>;
  /** The model of a running call. */
  get(ticket: number): EmbeddingModel | undefined;
}

/** Tickets of one client. */
export function createTickets(): Tickets {
  const models = new Map<number, EmbeddingModel>();
  let last = 0;
  return {
    async withTicket(embeddingModel, work) {
      if (embeddingModel === undefined) return work(undefined);
      const ticket = ++last;
      models.set(ticket, embeddingModel);
      try {
        // Functions and the address stay in the host.
        const { embed: _, learn: __, url: ___, ...rest } = embeddingModel;
        return await work({ ...rest, ticket });
      } catch (error) {
        // The worker does not know the address, so it is added here.
        if (!(error instanceof ServiceError) || error.url !== undefined) throw error;
        throw new ServiceError(error.kind, { ...error.toJSON(), url: embeddingModel.url });
      } finally {
        models.delete(ticket);
      }
    },
    get: (ticket) => models.get(ticket),
  };
}

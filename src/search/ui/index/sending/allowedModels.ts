import { type ErrorKind, ServiceError } from '../../../../base/errors.ts';
import type { Connection } from '../../../../editor/connection/connection.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import type { EmbeddingModel } from '../../../embedding/embeddingModel.ts';
import type { Consent } from './consent.ts';
import type { EmbeddingService } from './embeddingService.ts';

/** The embedding models that may be asked: with a service set up, and the user's consent to send to it. */
export interface AllowedModels {
  /** The service for vectors; undefined when none is set up. Throws the error of a misconfigured one. */
  endpoint(): Promise<Endpoint | undefined>;
  /** The address a question would be sent to; undefined where the search uses keywords only, as without consent. */
  serviceAsked(): Promise<string | undefined>;
  /** The embedding model for questions; undefined without a service or without consent. */
  allowedModel(): Promise<EmbeddingModel | undefined>;
  /** The embedding model for files; undefined also while paused. */
  allowedForFiles(): Promise<EmbeddingModel | undefined>;
}

/** Errors that mean that no service is set up, which leaves the search by keywords. */
const notConnected: ReadonlySet<ErrorKind> = new Set(['no-address', 'no-model']);

export function createAllowedModels(
  connection: Pick<Connection, 'endpoint'>,
  consent: Consent,
  sending: EmbeddingService,
): AllowedModels {
  async function endpoint(): Promise<Endpoint | undefined> {
    try {
      return await connection.endpoint('embeddings');
    } catch (error) {
      if (error instanceof ServiceError && notConnected.has(error.kind)) return undefined;
      throw error;
    }
  }

  async function allowedEndpoint(): Promise<Endpoint | undefined> {
    const to = await endpoint().catch(() => undefined);
    return to !== undefined && consent.isGiven(to.baseUrl) ? to : undefined;
  }

  return {
    endpoint,
    serviceAsked: async () => (await allowedEndpoint())?.baseUrl,
    async allowedModel() {
      const to = await allowedEndpoint();
      return to && sending.forQuestions(to);
    },
    async allowedForFiles() {
      const to = sending.paused === undefined ? await allowedEndpoint() : undefined;
      return to && sending.forFiles(to);
    },
  };
}

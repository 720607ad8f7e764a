import { type ErrorKind, ServiceError } from '../../../../base/errors.ts';
import type { Connection } from '../../../../editor/connection/connection.ts';
import type { Endpoint } from '../../../../service/endpoint.ts';
import { roots } from '../../../../workspace/ui/folders.ts';
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
  /** The embedding model for files, and the folders whose files it may have; undefined also while paused. */
  allowedForFiles(): Promise<AllowedForFiles | undefined>;
  /** Folders of this workspace that the user has not agreed to send files of to this service yet, as paths. */
  newRoots(to: Endpoint): Promise<string[]>;
}

export interface AllowedForFiles {
  readonly model: EmbeddingModel;
  /** Paths. */
  readonly roots: readonly string[];
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

  async function allowed(): Promise<{ to: Endpoint; roots: readonly string[] } | undefined> {
    const to = await endpoint().catch(() => undefined);
    const agreed = to === undefined ? [] : await consent.agreedRoots(to.baseUrl);
    return to !== undefined && agreed.length > 0 ? { to, roots: agreed } : undefined;
  }

  return {
    endpoint,
    serviceAsked: async () => (await allowed())?.to.baseUrl,
    async allowedModel() {
      const { to } = (await allowed()) ?? {};
      return to && sending.forQuestions(to);
    },
    async allowedForFiles() {
      const found = sending.paused === undefined ? await allowed() : undefined;
      // It may have been paused meanwhile.
      return found && sending.paused === undefined
        ? { model: sending.forFiles(found.to), roots: found.roots }
        : undefined;
    },
    async newRoots({ baseUrl }) {
      const agreed = await consent.agreedRoots(baseUrl);
      return roots().filter((root) => !agreed.includes(root));
    },
  };
}

/** VS Code with the packaged Parley on the sample workspace, and a service for it: what `npm start` and its tour show. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_KEY } from '../service/auth.ts';
import type { ReferenceServiceOptions } from '../service/options.ts';
import { createReferenceService } from '../service/server.ts';
import { packageExtension } from './package.ts';
import { findFreePort } from './processes.ts';
import { withProgress } from './progress.ts';
import { copyWorkspace } from './run.ts';
import { type Server, startServer } from './server.ts';
import { setUpServer } from './setup.ts';

export interface Demo {
  readonly server: Server;
  readonly service: Service;
  /** The folder that is open. */
  readonly workspace: string;
  /** Where VS Code keeps its state. */
  readonly serverDataDir: string;
  /** Ends everything that was started. */
  stop(): Promise<void>;
}

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What to call it in a sentence. */
  readonly name: string;
  readonly models: { readonly chat: string; readonly embeddings: string; readonly audio: string };
  /** From now on its models are of this release; a real service changes by itself. */
  setRelease?(name: string): void;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Where the workspace and VS Code's state are kept. */
  readonly home: string;
  /** Whether address, models and key are set already. */
  readonly connected: boolean;
  readonly tokenDelayMs: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** How the reference service is to be, where it is the one. */
  readonly reference?: ReferenceServiceOptions;
  /** Whether extensions may be loaded from their source, see `startServer`. */
  readonly testDriver?: boolean;
}

/** VS Code keeps some of its state in the browser, under its address, so it gets the same one if it can. */
const preferredPort = 8480;
const preferredServicePort = 8481;

/** Does all set-up and starts the service and VS Code. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  await mkdir(options.home, { recursive: true });
  const serverMain = await setUpServer();
  const vsix = await packageExtension();
  const workspace = join(options.home, 'workspace');
  if (!existsSync(workspace)) await copyWorkspace(workspace);
  const service = await openService({ tokenDelayMs: options.tokenDelayMs, ...options.reference });
  const serverDataDir = join(options.home, 'data');
  const port = await findFreePort(preferredPort);
  const server = await withProgress('Starting VS Code', () =>
    startServer({
      ...{ serverMain, vsix, serverDataDir, port, extensionsDir: join(options.home, 'extensions') },
      env: options.connected ? { PARLEY_API_KEY: service.apiKey } : {},
      testDriver: options.testDriver ?? false,
      settings: { ...(options.connected ? connectionSettings(service) : {}), ...options.settings },
    }),
  );
  const stop = async () => {
    await server.stop();
    await service.close();
  };
  return { server, service, workspace, serverDataDir, stop };
}

/** The service that PARLEY_BASE_URL names, or else the reference service. */
async function openService(options: ReferenceServiceOptions): Promise<Service> {
  const { PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey = '', ...env } = process.env;
  if (baseUrl) {
    const models = {
      chat: env.PARLEY_CHAT_MODEL ?? '',
      embeddings: env.PARLEY_EMBEDDINGS_MODEL ?? '',
      audio: env.PARLEY_AUDIO_MODEL ?? '',
    };
    return { baseUrl, apiKey, models, name: 'the service', close: async () => {} };
  }
  const port = await findFreePort(preferredServicePort);
  const { baseUrl: url, close, setRelease } = await createReferenceService({ ...options, port });
  const models = { chat: 'parley-chat', embeddings: 'parley-embed', audio: 'parley-whisper' };
  return {
    baseUrl: url,
    apiKey: DEFAULT_KEY,
    models,
    close,
    setRelease,
    name: 'the reference service (a test double)',
  };
}

/** The machine settings of a user who is connected and keeps the key in PARLEY_API_KEY. */
export function connectionSettings({ baseUrl, models }: Service): Record<string, unknown> {
  return {
    'parley.baseUrl': baseUrl,
    'parley.apiKeyEnvironmentVariable': 'PARLEY_API_KEY',
    'parley.chat.model': models.chat,
    'parley.embeddings.model': models.embeddings,
    'parley.audio.model': models.audio,
  };
}

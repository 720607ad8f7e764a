import { type Disposable, workspace } from 'vscode';
import { readCertificates } from '../service/certificates.ts';
import { createGate } from '../service/gate.ts';
import { systemClock } from '../service/retry.ts';
import type { Transport } from '../service/transport.ts';
import { Disposables } from './disposables.ts';
import type { Log } from './log.ts';
import { readSetting } from './settings.ts';
import type { WaitStatus } from './waitStatus.ts';

/** The transport as VS Code's own `http.*` settings and Parley's for the network want it; made anew when they change. */
export function createEditorTransport(log: Log, waits: WaitStatus): Transport & Disposable {
  const owned = new Disposables();
  const gate = createGate(systemClock, { onChange: waits.change });
  let current: Transport | undefined;
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      // What is under way goes on as it began.
      if (change.affectsConfiguration('http') || change.affectsConfiguration('parley.network')) current = undefined;
    }),
  );
  const close = async (): Promise<void> => current?.close();
  return {
    send: async (request, signal) => {
      // undici is half of the bundle: it is loaded with the first request, not at start-up.
      const { createTransport } = await import('../service/undiciTransport.ts');
      current ??= createTransport({
        ...readHttpSettings(),
        ...readNetworkSettings(),
        clock: systemClock,
        gate,
        // Looked up for each request: VS Code may put its own in place later.
        fetch: (input, init) => globalThis.fetch(input, init),
        allowInsecure,
        log: (line) => log.info(line),
      });
      return current.send(request, signal);
    },
    close,
    dispose: () => {
      owned.dispose();
      void close();
    },
  };
}

function readHttpSettings() {
  const http = workspace.getConfiguration('http');
  const useProxy = http.get<string>('proxySupport') !== 'off';
  // `*` keeps the proxy variables of the environment out, too.
  const noProxy = useProxy ? (http.get<string[]>('noProxy') ?? []) : ['*'];
  return {
    proxy: useProxy ? userValue<string>('http.proxy') || undefined : undefined,
    proxyAuthorization: userValue<string | null>('http.proxyAuthorization') ?? undefined,
    ...(noProxy.length > 0 ? { noProxy } : {}),
    rejectUnauthorized: userValue<boolean>('http.proxyStrictSSL') ?? true,
    ...(http.get<boolean>('systemCertificates') === false ? {} : { certificates: readCertificates }),
  };
}

/** Sending a large file may take longer than any model thinks. */
const shortestUploadMs = 3_600_000;

function readNetworkSettings() {
  const milliseconds = (phase: 'connect' | 'firstByte' | 'idle' | 'total'): number =>
    Math.max(0, readSetting(`parley.network.${phase}Timeout`) * 1000);
  const firstByte = milliseconds('firstByte');
  return {
    path: readSetting('parley.network.path'),
    http2: readSetting('parley.network.http2'),
    timeouts: {
      connect: milliseconds('connect'),
      firstByte,
      upload: firstByte === 0 ? 0 : Math.max(firstByte, shortestUploadMs),
      idle: milliseconds('idle'),
      total: milliseconds('total'),
    },
  };
}

function allowInsecure(origin: string): boolean {
  const allowed = userValue<unknown[]>('parley.insecureOrigins') ?? [];
  return allowed.some((entry) => URL.parse(String(entry))?.origin === origin);
}

/** A setting as the user wrote it: a workspace must not choose the proxy that requests go through, or who sees a key. */
function userValue<T>(id: string): T | undefined {
  const found = workspace.getConfiguration().inspect<T>(id);
  return found?.globalValue ?? found?.defaultValue;
}

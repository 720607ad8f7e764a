import { type Disposable, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Gate, NetworkPath, Transport } from '../../service/transport/transport.ts';
import { Disposables } from '../disposables.ts';
import type { Log } from '../log.ts';
import { readSetting } from '../settings.ts';
import type { WaitStatus } from './waitStatus.ts';

/** The transport as VS Code's own `http.*` settings and Parley's network settings want it; made anew when they change. @param watch sees each try */
export function createEditorTransport(
  log: Log,
  waits: WaitStatus,
  missingVariable: (origin: string) => string | undefined,
  watch?: (path: NetworkPath) => NetworkPath,
): Transport & Disposable {
  const owned = new Disposables();
  /** The gate outlives the transports: the waits that a service asked for hold whatever the settings are. */
  let gate: Gate | undefined;
  let current: Transport | undefined;
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      // Requests under way go on with the transport they began with.
      if (change.affectsConfiguration('http') || change.affectsConfiguration('parley.network')) current = undefined;
    }),
  );
  const close = async (): Promise<void> => current?.close();
  return {
    send: async (request, signal) => {
      // undici is half of the bundle: it is loaded with the first request, not at start-up.
      const { createGate, createTransport, originOfLane, readCertificates } = await import(
        '../../service/transport/transport.ts'
      );
      gate ??= createGate(systemClock, {
        onChange: (lane, until) => waits.change(lane, originOfLane(lane), until),
      });
      current ??= createTransport({
        ...readHttpSettings(readCertificates),
        ...readNetworkSettings(),
        clock: systemClock,
        gate,
        // `fetch` is looked up for each request: VS Code may put its own in place later.
        fetch: (input, init) => globalThis.fetch(input, init),
        allowInsecure,
        missingVariable,
        ...(watch && { watch }),
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

function readHttpSettings(readCertificates: () => string[]) {
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

/** The least time limit of an upload: sending a large file may take longer than any model thinks. */
const minUploadTimeoutMs = 3_600_000;

function readNetworkSettings() {
  const milliseconds = (phase: 'connect' | 'firstByte' | 'idle' | 'total'): number =>
    Math.max(0, readSetting(`parley.network.${phase}Timeout`) * 1000);
  const firstByte = milliseconds('firstByte');
  return {
    path: readSetting('parley.network.path'),
    // What a workspace names here would be read and shown to a service.
    clientCertificates: userValue<Record<string, unknown>>('parley.network.clientCertificates') ?? {},
    timeouts: {
      connect: milliseconds('connect'),
      firstByte,
      upload: firstByte === 0 ? 0 : Math.max(firstByte, minUploadTimeoutMs),
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

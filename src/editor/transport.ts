import { getCACertificates, rootCertificates } from 'node:tls';
import { type Disposable, workspace } from 'vscode';
import { systemClock } from '../service/retry.ts';
import type { Transport } from '../service/transport.ts';
import { Disposables } from './disposables.ts';
import type { Log } from './log.ts';

/** The transport as VS Code's own `http.*` settings want it; made anew when they change. */
export function createEditorTransport(log: Log): Transport & Disposable {
  const owned = new Disposables();
  let current: Transport | undefined;
  const drop = (): void => {
    void current?.close();
    current = undefined;
  };
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('http')) drop();
    }),
  );
  return {
    send: async (request, signal) => {
      // undici is half of the bundle: it is loaded with the first request, not at start-up.
      const { createTransport } = await import('../service/undiciTransport.ts');
      current ??= createTransport({ ...readHttpSettings(), clock: systemClock, log: (line) => log.info(line) });
      return current.send(request, signal);
    },
    close: async () => drop(),
    dispose: () => {
      owned.dispose();
      drop();
    },
  };
}

function readHttpSettings() {
  const http = workspace.getConfiguration('http');
  const useProxy = http.get<string>('proxySupport') !== 'off';
  // `*` keeps the proxy variables of the environment out, too.
  const noProxy = useProxy ? (http.get<string[]>('noProxy') ?? []) : ['*'];
  return {
    proxy: useProxy ? userValue<string>('proxy') || undefined : undefined,
    ...(noProxy.length > 0 ? { noProxy } : {}),
    rejectUnauthorized: userValue<boolean>('proxyStrictSSL') ?? true,
    ...(http.get<boolean>('systemCertificates') === false
      ? {}
      : { certificates: () => [...rootCertificates, ...getCACertificates('system')] }),
  };
}

/** A network setting as the user wrote it: a workspace must not choose the proxy that requests go through. */
function userValue<T>(name: string): T | undefined {
  const found = workspace.getConfiguration('http').inspect<T>(name);
  return found?.globalValue ?? found?.defaultValue;
}

import { enableCompileCache } from 'node:module';

async function main(): Promise<void> {
  // The SDK of the protocol is half a megabyte of code: compiled once, an agent's first answer comes sooner.
  enableCompileCache?.();
  const { runCommandLine } = await import('./commandLine.ts');
  process.exit(await runCommandLine(process.argv.slice(2)));
}

void main();

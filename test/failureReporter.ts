/**
 * A reporter for node's test runner: each failed test in the moment in which it fails, with its reason, and at the end
 * `N passed, N failed`. Node's own reporters hold a failure back until all files before it have ended. A test that was
 * skipped or left to do proves nothing, so it counts as failed.
 */
import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { root } from './host/paths.ts';

type Completed = Extract<TestEvent, { type: 'test:complete' }>['data'];

export default async function* reportFailures(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // What a file wrote says why it fails by itself. It comes before or after, as the other files are done.
  const written = new Map<string, string>();
  const broken = new Set<string>();
  for await (const { type, data } of source) {
    if (type === 'test:stderr') {
      const path = pathOf(data.file);
      if (broken.has(path)) yield `${path}: ${data.message}`;
      else written.set(path, ((written.get(path) ?? '') + data.message).slice(-4000));
    }
    // A promise that is rejected after its test makes the file fail; that is all that is said of it.
    if (type === 'test:diagnostic' && data.file !== undefined && data.message.startsWith('Error: ')) {
      const path = pathOf(data.file);
      written.set(path, `${written.get(path) ?? ''}${data.message}\n`);
    }
    if (type === 'test:complete') {
      const path = pathOf(data.file);
      if (data.name === path && !data.details.passed) broken.add(path);
      yield failure(data, written.get(path));
    }
    // The sum of all files has no file.
    if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed } = data.counts;
      yield `${passed} passed, ${tests - passed} failed\n`;
    }
  }
}

function failure({ name, file, details, skip, todo }: Completed, written: string | undefined): string {
  const isLeftOut = skip !== undefined || todo !== undefined;
  const error = details.error as { failureType?: string; cause?: unknown } | undefined;
  // A group and a file fail with the tests in them, which say why.
  if ((details.passed && !isLeftOut) || error?.failureType === 'subtestsFailed') return '';
  const path = pathOf(file);
  if (name === path) return `FAILED ${path}\n${indented(written ?? inspect(error))}`;
  const reason = isLeftOut ? 'It was skipped, or left to do.' : inspect(error?.cause ?? error, { depth: 4 });
  return `FAILED ${name} (${path})\n${indented(reason)}`;
}

/** Node gives it as it was told it, or whole. */
const pathOf = (file: string | undefined): string => (file === undefined ? '' : relative(root, resolve(root, file)));
const indented = (text: string): string => `${text.trimEnd().replace(/^/gm, '         ')}\n`;

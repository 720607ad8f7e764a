/** The dialogues with tools in `test/corpus/tools/`; their form is told in the README there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call that is meant, or one that does not run. */
export type MeantCall =
  | { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  | {
      readonly name: string;
      readonly refused: 'unknown-tool' | 'not-json' | 'not-an-object' | 'schema';
      readonly about: string;
    };

/** A message of a request. In place of a text there may be one of the marks that the README tells of. */
export type MeantMessage = Readonly<Record<string, unknown>>;

/** One answer, what it means, and what goes back. */
export interface ToolStep {
  /** The data of each event of a stream, or the text of a whole body. */
  readonly answer: { readonly chunks: readonly string[] } | { readonly body: string };
  readonly calls: readonly MeantCall[];
  readonly text: string;
  readonly reasoning: string;
  readonly finish: string;
  readonly refusal: string | undefined;
  /** The results, in the order in which they come; `call` is a place in `calls`. */
  readonly results: readonly { readonly call: number; readonly content: string }[];
  /** What is added to the messages for the next request; empty where none follows. */
  readonly next: readonly MeantMessage[];
}

export interface ToolCase {
  /** `names/other-case`: its kind, and what it is about. */
  readonly name: string;
  readonly kind: string;
  readonly about: string;
  readonly source: string;
  readonly tools: readonly OfferedTool[];
  /** Whether the tools are offered as `functions`. */
  readonly isLegacy: boolean;
  /** The messages of the first request. */
  readonly messages: readonly MeantMessage[];
  /** One for a case of one answer. */
  readonly steps: readonly ToolStep[];
}

type Raw = Readonly<Record<string, unknown>>;

/** Members that a file may have; others are mistakes. */
const caseMembers = ['name', 'about', 'source', 'tools', 'legacy'];
const stepMembers = ['answer', 'calls', 'text', 'reasoning', 'finish', 'refusal'];

const folder = join(import.meta.dirname, 'tools');

/** All cases, by their names. Throws for a file that has not the form of one. */
export function readToolCases(): ToolCase[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const path = file.replaceAll('\\', '/').replace(/\.json$/, '');
      const raw = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Raw;
      if (raw['name'] !== path) throw new Error(`${path} is named ${String(raw['name'])}`);
      return toCase(raw, path);
    });
}

function toCase(raw: Raw, name: string): ToolCase {
  const isDialogue = Object.hasOwn(raw, 'steps');
  const own = isDialogue ? ['messages', 'steps'] : stepMembers;
  checkMembers(raw, [...caseMembers, ...own], name);
  const steps = isDialogue ? (raw['steps'] as Raw[]) : [pick(raw, stepMembers)];
  return {
    name,
    kind: name.split('/')[0] ?? '',
    about: raw['about'] as string,
    source: raw['source'] as string,
    tools: raw['tools'] as OfferedTool[],
    isLegacy: raw['legacy'] === true,
    messages: (raw['messages'] ?? [{ role: 'user', content: 'Go on.' }]) as MeantMessage[],
    steps: steps.map((step) => toStep(step, name)),
  };
}

function toStep(raw: Raw, name: string): ToolStep {
  checkMembers(raw, [...stepMembers, 'results', 'next'], name);
  return {
    answer: toAnswer(raw['answer'] as Raw, name),
    calls: expand(raw['calls']) as MeantCall[],
    text: raw['text'] as string,
    reasoning: raw['reasoning'] as string,
    finish: raw['finish'] as string,
    refusal: raw['refusal'] as string | undefined,
    results: (raw['results'] ?? []) as ToolStep['results'],
    next: (raw['next'] ?? []) as MeantMessage[],
  };
}

function toAnswer(raw: Raw, name: string): ToolStep['answer'] {
  checkMembers(raw, ['chunks', 'body'], name);
  const { chunks, body } = raw;
  if (!Array.isArray(chunks)) return { body: dataOf(body) };
  return {
    chunks: chunks.flatMap((chunk: unknown) => {
      const times = repeatsOf(chunk);
      return times === undefined
        ? [dataOf(chunk)]
        : Array.from({ length: times }, () => dataOf((chunk as Raw)['chunk']));
    }),
  };
}

/** A text is data as it stands, in whatever form; all else is written as JSON. */
function dataOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function repeatsOf(value: unknown): number | undefined {
  const times = typeof value === 'object' && value !== null ? (value as Raw)['$repeat'] : undefined;
  return typeof times === 'number' ? times : undefined;
}

/** A value in which `{ "$repeat": 3, "text": "ab" }` is the text `ababab`. */
function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  const times = repeatsOf(value);
  if (times !== undefined) return String((value as Raw)['text']).repeat(times);
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, expand(item)]));
}

function pick(raw: Raw, members: readonly string[]): Raw {
  return Object.fromEntries(Object.entries(raw).filter(([member]) => members.includes(member)));
}

function checkMembers(raw: Raw, known: readonly string[], name: string): void {
  const unknown = Object.keys(raw).filter((member) => !known.includes(member));
  if (unknown.length > 0) throw new Error(`${name} has ${unknown.join(', ')}`);
}

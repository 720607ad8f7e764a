import { ServiceError } from '../../base/errors.ts';
import { isTooManifold } from '../../base/jsonText.ts';
import type { Usage } from '../answers/usage.ts';
import { readUsage } from '../answers/usage.ts';
import { type ErrorBody, errorInBody, readErrorBody } from '../errors/errorBody.ts';
import { htmlTitle } from '../errors/htmlPage.ts';
import type { CallableTool } from './calls/calledInText.ts';
import { type ChoiceAssembler, createChoiceAssembler, type RawChoice } from './choiceAssembler.ts';
import type { ChatEvent } from './completion.ts';
import { errorOfEnd } from './finishReason.ts';
import { createRepeatedChunk } from './repeatedChunk.ts';
import type { StreamSink } from './streamReader.ts';

/** The source of an answer, for its errors. */
export interface AnswerSource {
  url: string;
  /** The key, which is hidden where a service repeats it. */
  key?: string | undefined;
  /** The longest answer, in characters: all text, thoughts and arguments together. */
  maxLength?: number | undefined;
  /** The tools that the request offers. */
  tools?: readonly CallableTool[] | undefined;
}

/** Puts an answer together from the pieces of its body, and decides whether it is complete. */
export interface Assembler extends StreamSink {
  /** Events that were not passed on yet; the caller empties it. */
  readonly ready: ChatEvent[];
  /** The service has said that the answer is over: nothing more need be read. */
  readonly done: boolean;
  /** Characters of the answer that have arrived. */
  readonly length: number;
  /** Announces the rest of a body that has ended: it may break off. */
  ending(): void;
  /**
   * Ends the answer: puts the last events into `ready` and gives the error, if the answer is not complete.
   * @param failure what ended the reading, when it was not the end of the body
   */
  close(failure: unknown): unknown;
}

interface RawChunk {
  id?: unknown;
  created?: unknown;
  model?: unknown;
  system_fingerprint?: unknown;
  object?: unknown;
  choices?: unknown;
  usage?: unknown;
  error?: unknown;
  /** The state of MiniMax, which comes with good answers as well. */
  base_resp?: unknown;
  x_groq?: { id?: unknown; usage?: unknown; error?: unknown } | null;
  /** Ollama's own form, one line each: `{message: {content}, done}`. */
  message?: unknown;
  done?: unknown;
  done_reason?: unknown;
}

/** `choices[].index` may not be greater; the document's `n` is far below. */
const maxChoice = 128;
/** The longest answer, in characters, where the caller sets no limit. */
const defaultAnswerLength = 16 * 1024 * 1024;
/** The longest name of a model, or id, in characters. */
const maxNameLength = 512;
/** The longest chunk that is learned from, in characters; longer ones are few. */
const maxLearnedLength = 64 * 1024;

export function createAssembler(context: AnswerSource): Assembler {
  const ready: ChatEvent[] = [];
  const choices = new Map<number, ChoiceAssembler>();
  /** The fault that this file itself found, apart from failures of the connection. */
  let fault: ServiceError | undefined;
  let done = false;
  let isEnding = false;
  let isCut = false;
  let length = 0;
  let model: string | undefined;
  let usage: Usage | undefined;
  let lastChoice: ChoiceAssembler | undefined;
  let repeatedChoice: ChoiceAssembler | undefined;
  const repeated = createRepeatedChunk(contentAlone);
  const identity: { id?: string; created?: number; systemFingerprint?: string } = {};

  function fail(error: ServiceError): never {
    fault = error;
    throw error;
  }
  const malformed = (): never => fail(new ServiceError('malformed', { url: context.url }));

  const maxLength = context.maxLength ?? defaultAnswerLength;

  function emit(event: ChatEvent): void {
    const left = maxLength - length;
    length += lengthOf(event);
    if (length > maxLength) {
      if ('text' in event && left > 0) ready.push({ ...event, text: event.text.slice(0, left) });
      fail(new ServiceError('answer-too-long', { url: context.url, hint: String(maxLength / 2 ** 20) }));
    }
    ready.push(event);
  }

  function takeText(text: string, name: string, isBody: boolean): void {
    if (done || fault !== undefined) return;
    const content = name === 'error' ? undefined : repeated.read(text);
    if (content !== undefined) {
      repeatedChoice?.takeText(content);
      return;
    }
    if (isTooManifold(text)) malformed();
    const raw = parse(text);
    if (name === 'error') fail(errorInBody(errorOf(raw) ?? wordsOf(text), context, raw));
    if (typeof raw === 'object' && raw !== null) {
      takeChunk(raw, isBody);
      if (text.length > maxLearnedLength || contentAlone(raw) === undefined) return;
      if (repeated.learn(text)) repeatedChoice = lastChoice;
    } else if (text.trim() === '[DONE]') done = true;
    else if (raw === undefined && text.trim() !== '') {
      // A gateway that fails in the middle of a stream writes a line of words.
      if (/^\s*[^\s{["\d]/.test(text)) fail(errorInBody(wordsOf(text.trim()), context));
      if (!isEnding) malformed();
      isCut = true;
    }
  }

  function takeChunk(raw: RawChunk, isBody: boolean): void {
    if (raw.model !== model && isName(raw.model)) {
      model = raw.model;
      ready.push({ type: 'model', model });
    }
    if (identity.id === undefined || identity.created === undefined || identity.systemFingerprint === undefined) {
      takeIdentity(raw);
    }
    if (Array.isArray(raw.choices)) {
      for (let i = 0; i < raw.choices.length; i++) takeChoice(raw.choices[i], i, isBody);
    } else if (raw.done === true || (typeof raw.message === 'object' && raw.message !== null)) {
      const reason = raw.done === true ? (raw.done_reason ?? 'stop') : undefined;
      takeChoice({ delta: raw.message, finish_reason: reason }, 0, false);
    }
    takeUsage(raw);
    const error = errorOf(raw);
    if (error !== undefined) fail(errorInBody(error, context, raw));
  }

  function takeIdentity({ id, created, system_fingerprint }: RawChunk): void {
    const news: typeof identity = {};
    if (identity.id === undefined && isName(id)) news.id = id;
    if (identity.created === undefined && typeof created === 'number') news.created = created;
    if (identity.systemFingerprint === undefined && isName(system_fingerprint)) {
      news.systemFingerprint = system_fingerprint;
    }
    if (Object.keys(news).length === 0) return;
    Object.assign(identity, news);
    ready.push({ type: 'identity', ...news });
  }

  function takeChoice(raw: RawChoice | null, position: number, isBody: boolean): void {
    if (typeof raw !== 'object' || raw === null) return;
    const index = typeof raw.index === 'number' ? raw.index : position;
    if (!(Number.isInteger(index) && index >= 0 && index <= maxChoice)) malformed();
    let choice = choices.get(index);
    if (choice === undefined) {
      choice = createChoiceAssembler(index, context.tools ?? [], emit, malformed);
      choices.set(index, choice);
    }
    // One whole message needs no finish_reason to be complete.
    const isWhole = isBody && raw.delta === undefined && typeof raw.message === 'object' && raw.message !== null;
    lastChoice = choice;
    choice.take(raw, isWhole);
    if (isWhole) done = true;
    if (raw.usage !== undefined) usage = readUsage(raw.usage) ?? usage;
  }

  function takeUsage(raw: RawChunk): void {
    if (raw.usage !== undefined && raw.usage !== null) usage = readUsage(raw.usage) ?? usage;
    else if (raw.x_groq !== undefined) usage = readUsage(raw.x_groq?.usage) ?? usage;
    else if (raw.done === true) usage = readUsage(raw) ?? usage;
  }

  return {
    ready,
    get done() {
      return done;
    },
    get length() {
      return length;
    },
    event: (text, name) => takeText(text, name, false),
    json: (text) => takeText(text, '', true),
    value(value) {
      if (!done && fault === undefined && typeof value === 'object' && value !== null) takeChunk(value, true);
    },
    html: (text) => fail(new ServiceError('login-page', { url: context.url, hint: htmlTitle(text) })),
    broken(why) {
      if (why !== 'cut') malformed();
      isCut = true;
    },
    ending() {
      isEnding = true;
    },
    close(failure) {
      const ordered = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
      const reasons = ordered.map((choice) => choice.reason);
      let error = fault ?? errorOfEnd({ reasons, isSaid: done, isCut, failure }, context.url);
      try {
        for (const choice of ordered) choice.flush();
        if (error === undefined) for (const choice of ordered) choice.finish();
      } catch (broken) {
        error = broken;
      }
      if (usage !== undefined) ready.push({ type: 'usage', usage });
      return error;
    },
  };
}

function lengthOf(event: ChatEvent): number {
  if (event.type === 'replace') return 0;
  // In bytes: of most letters that are not Latin a character takes two or three.
  if ('text' in event) return Buffer.byteLength(event.text);
  if (event.type === 'tool-call-delta') return event.arguments.length;
  // Each log-probability takes at least two numbers and a text.
  return event.type === 'logprobs' ? event.content.length * 16 : 0;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxNameLength;
}

/** The content of a chunk that holds nothing else that is news; undefined for any other chunk. */
function contentAlone(chunk: unknown): unknown {
  const { choices } = chunk as RawChunk;
  if (!Array.isArray(choices) || choices.length !== 1) return undefined;
  const { delta, finish_reason, logprobs, usage } = (choices[0] ?? {}) as RawChoice;
  if (finish_reason || logprobs || usage || typeof delta !== 'object' || delta === null) return undefined;
  let content: unknown;
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'content' && typeof value === 'string') content = value;
    else if (name !== 'role' && value !== null && value !== '') return undefined;
  }
  return content;
}

/** The error a chunk holds. Good chunks have none, or `"error": null`. */
function errorOf(raw: RawChunk | undefined): ErrorBody | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const isAnswer = Array.isArray(raw.choices) && !raw.choices.some((choice) => choice?.error);
  if (!raw.error && !raw.x_groq?.error && !raw.base_resp && raw.object !== 'error' && isAnswer) return undefined;
  const read = readErrorBody(raw);
  // An error without a message is still an error.
  return read ?? (raw.error && Object.keys(raw.error).length > 0 ? { message: '', type: '', code: '' } : undefined);
}

const wordsOf = (message: string): ErrorBody => ({ message, type: '', code: '' });

/** JSON text; also one that was split into lines at any place. */
function parse(text: string): RawChunk | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return text.includes('\n') ? parse(text.replaceAll('\n', '')) : undefined;
  }
}

import { ServiceError } from '../../../base/errors.ts';
import { isTooManifold } from '../../../base/jsonText.ts';
import { type ErrorBody, readErrorBody } from '../../errors/errorBody.ts';
import { errorInBody } from '../../errors/errorFromAnswer.ts';
import { htmlTitle } from '../../errors/htmlPage.ts';
import type { CallableTool } from '../calls/calledInText.ts';
import type { ChatEvent } from '../completion.ts';
import { errorOfEnd } from '../finishReason.ts';
import type { StreamSink } from '../streamReader.ts';
import { type ChunkFacts, createAnswerFacts } from './answerFacts.ts';
import { createBoundedEvents } from './boundedEvents.ts';
import type { ChoiceAssembler, RawChoice } from './choiceAssembler.ts';
import { createChoices } from './choices.ts';
import { createRepeatedChunk } from './repeatedChunk.ts';

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

interface RawChunk extends ChunkFacts {
  object?: unknown;
  choices?: unknown;
  error?: unknown;
  /** The state of MiniMax, which comes with good answers as well. */
  base_resp?: unknown;
  x_groq?: { id?: unknown; usage?: unknown; error?: unknown } | null;
  /** Ollama's own form, one line each: `{message: {content}, done}`. */
  message?: unknown;
  done_reason?: unknown;
}

/** The longest answer, in characters, where the caller sets no limit. */
const defaultAnswerLength = 16 * 1024 * 1024;
/** The longest chunk that is learned from, in characters; longer ones are few. */
const maxLearnedLength = 64 * 1024;

export function createAssembler(context: AnswerSource): Assembler {
  /** The fault that this file itself found, apart from failures of the connection. */
  let fault: ServiceError | undefined;
  let done = false;
  let [isEnding, isCut] = [false, false];
  let lastChoice: ChoiceAssembler | undefined;
  let repeatedChoice: ChoiceAssembler | undefined;
  const repeated = createRepeatedChunk(contentAlone);
  const events = createBoundedEvents(context.maxLength ?? defaultAnswerLength, context.url, fail);
  const choices = createChoices(context.tools ?? [], events.add, malformed);
  const facts = createAnswerFacts((event) => events.ready.push(event));

  function fail(error: ServiceError): never {
    fault = error;
    throw error;
  }
  function malformed(): never {
    return fail(new ServiceError('malformed', { url: context.url }));
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
      if (isWords(text)) fail(errorInBody(wordsOf(text.trim()), context));
      if (!isEnding) malformed();
      isCut = true;
    }
  }

  function takeChunk(raw: RawChunk, isBody: boolean): void {
    facts.takeIdentity(raw);
    const raws = choicesIn(raw);
    for (let i = 0; i < raws.length; i++) takeChoice(raws[i], i, isBody);
    facts.takeUsage(raw);
    const error = errorOf(raw);
    if (error !== undefined) fail(errorInBody(error, context, raw));
  }

  function takeChoice(raw: RawChoice | null | undefined, position: number, isBody: boolean): void {
    if (typeof raw !== 'object' || raw === null) return;
    const choice = choices.at(placeOf(raw.index) ?? position) ?? malformed();
    // One whole message needs no finish_reason to be complete.
    const isWhole = isBody && raw.delta === undefined && typeof raw.message === 'object' && raw.message !== null;
    lastChoice = choice;
    choice.take(raw, isWhole);
    if (isWhole) done = true;
    if (raw.usage !== undefined) facts.takeChoiceUsage(raw.usage);
  }

  return {
    ready: events.ready,
    get done() {
      return done;
    },
    get length() {
      return events.length;
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
      const ordered = choices.all();
      const reasons = ordered.map((choice) => choice.reason);
      let error = fault ?? errorOfEnd({ reasons, isSaid: done, isCut, failure }, context.url);
      try {
        for (const choice of ordered) choice.flush();
        if (error === undefined) for (const choice of ordered) choice.finish();
      } catch (broken) {
        error = broken;
      }
      const { usage } = facts;
      if (usage !== undefined) events.ready.push({ type: 'usage', usage });
      return error;
    },
  };
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

/** The index of a choice, also one that is written as a text; undefined for none. */
function placeOf(index: unknown): number | undefined {
  if (typeof index === 'number') return index;
  return typeof index === 'string' && /^\d{1,3}$/.test(index) ? Number(index) : undefined;
}

/** The choices of a chunk; of Ollama's own form, which has one message and no list, that one. */
function choicesIn(raw: RawChunk): readonly RawChoice[] {
  if (Array.isArray(raw.choices)) return raw.choices;
  if (raw.done !== true && (typeof raw.message !== 'object' || raw.message === null)) return [];
  return [{ delta: raw.message, finish_reason: raw.done === true ? (raw.done_reason ?? 'stop') : undefined }];
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

/** A line of words, which a gateway writes that fails in the middle of a stream. */
const isWords = (text: string): boolean => /^\s*[^\s{["\d]/.test(text);

const wordsOf = (message: string): ErrorBody => ({ message, type: '', code: '' });

/** JSON text; also one that was split into lines at any place, or has a number of Python's that JSON lacks: it is null then. */
function parse(text: string): RawChunk | undefined {
  try {
    return JSON.parse(text);
  } catch {
    if (text.includes('\n')) return parse(text.replaceAll('\n', ''));
    const finite = text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (part) =>
      part.startsWith('"') ? part : 'null',
    );
    return finite === text ? undefined : parse(finite);
  }
}

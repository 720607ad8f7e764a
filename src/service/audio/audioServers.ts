import { isWhisperCpp } from '../whisperCpp.ts';

/** What is made of a recording: English text, or a text in the language that is spoken. */
export type AudioTask = 'translate' | 'transcribe';

/** Servers that translate only when a form field tells them to, and what an answer says of its own language. */

/** A kind of server, and the form fields without which it does something else than a task. */
export interface AudioServer {
  name: string;
  fields: Readonly<Record<AudioTask, Readonly<Record<string, string>>>>;
  /** Whether a `Server` header is its own. */
  isOwn(header: string | undefined): boolean;
  /** A member that only its `verbose_json` has, for where a proxy takes the header away. */
  member: string;
}

/**
 * The common servers. Those that are not here translate by themselves where they have `audio/translations` at all: OpenAI,
 * Groq, vLLM, speaches (once faster-whisper-server).
 */
const servers: readonly AudioServer[] = [
  {
    // whisper.cpp is told by `--inference-path` where to answer, so it knows nothing of the path, and takes all speech for English
    // unless told otherwise (whisper.cpp, examples/server/server.cpp: `get_req_parameters`, `whisper_params`).
    name: 'whisper.cpp',
    fields: { translate: { translate: 'true', language: 'auto' }, transcribe: { language: 'auto' } },
    isOwn: isWhisperCpp,
    member: 'language_probabilities',
  },
];

/** The server that gave an answer, where it is one that translates only when told to. */
export function audioServerOf(serverHeader: string | undefined, answer: unknown): AudioServer | undefined {
  const isObject = typeof answer === 'object' && answer !== null;
  return servers.find(({ isOwn, member }) => isOwn(serverHeader) || (isObject && Object.hasOwn(answer, member)));
}

export function audioServerNamed(name: string | undefined): AudioServer | undefined {
  return servers.find((server) => server.name === name);
}

/**
 * The language that was spoken, as an answer says it: by its code, or by its English name. Undefined where it names none. A service that
 * was told the language may say nothing.
 */
export function spokenLanguage(given: unknown): string | undefined {
  const name = typeof given === 'string' ? given.trim() : '';
  const isName = /^\p{L}[\p{L}\p{M} ()'-]{1,39}$/u.test(name) && !/^(auto|unknown|und|none|null|multi)$/i.test(name);
  return isName ? name : undefined;
}

/** A text that is not in English, by what the service says. */
export interface Untranslated {
  /** The language of the text, as the service calls it (`german`, `de`); absent where it only says that it transcribed. */
  language?: string | undefined;
}

/**
 * Tells from an answer's own fields that it is not a translation. Undefined where it is one, or says nothing. With
 * `task: translate`, `language` is what was spoken: whisper.cpp and faster-whisper say so.
 */
export function untranslatedBy(
  task: string | null | undefined,
  language: string | null | undefined,
): Untranslated | undefined {
  if (/^translat/i.test(task?.trim() ?? '')) return undefined;
  const given = language?.trim() ?? '';
  if (/^en(glish)?\b/i.test(given)) return undefined;
  const named = spokenLanguage(given);
  if (named !== undefined) return { language: named };
  return /^transcri/i.test(task?.trim() ?? '') ? {} : undefined;
}

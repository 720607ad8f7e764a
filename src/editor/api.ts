/**
 * What other extensions, and keybindings, can ask of Parley: four commands, their arguments, results and errors. This file
 * stands alone, so that it can be copied.
 *
 *     const hits = await commands.executeCommand<SearchHit[]>('parley.search.query', 'where is the tide table read', { limit: 5 });
 */
import type { Uri } from 'vscode';

/** The commands. Each rejects with a `CommandError`. */
export interface ParleyCommands {
  /** Asks in the chat panel, where the answer can be watched, and resolves when it is complete. */
  'parley.chat.ask': (text: string, options?: AskOptions) => Promise<AskResult>;
  /** Finds code; by keywords alone where no service is connected or the workspace is not indexed. The best first. */
  'parley.search.query': (text: string, options?: SearchOptions) => Promise<SearchHit[]>;
  /** Indexes the workspace; asks before anything is sent that the user has not agreed to. */
  'parley.search.index': () => Promise<IndexResult>;
  /** Translates recordings into English. What is translated already is given as it is kept, and not sent again. */
  'parley.audio.translate': (recordings: Uri | readonly Uri[]) => Promise<TranslatedFile[]>;
}

export interface AskOptions {
  /** Begin a new conversation. Default: go on with the one in the panel. */
  newConversation?: boolean | undefined;
}

export interface AskResult {
  text: string;
  /** `stop`, `length` and others, by the service's word. */
  finishReason: string | undefined;
  /** Tokens, and seconds where the service gives times. What it did not say is absent. */
  usage: Usage | undefined;
  /** The model that answered. */
  model: string | undefined;
}

export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  queueTime?: number;
  promptTime?: number;
  completionTime?: number;
  totalTime?: number;
}

export interface SearchOptions {
  /** How many files at most, from 1 to 100. Default 20. */
  limit?: number | undefined;
  /** Only files that match one of these, such as `src/**` or `*.py`, and none that begin with `!`. */
  globs?: readonly string[] | undefined;
  /** Only files of these languages, by VS Code's ids (`typescript`) or the ends of file names (`py`). */
  languages?: readonly string[] | undefined;
  /** Only files in this folder, relative to the root, with `/`. */
  folder?: string | undefined;
  /** Only files that differ from this branch, tag or commit, or are new to git. */
  changedSince?: string | undefined;
}

/** A file that was found: its best place, and further ones. */
export interface SearchHit extends SearchPlace {
  uri: Uri;
  /** Further good places in the file, the best first; left out where there are none. */
  places?: SearchPlace[];
}

export interface SearchPlace {
  /** From 1, both ends included. */
  startLine: number;
  endLine: number;
  text: string;
  /** Over 0; for comparing the hits of one question. */
  score: number;
  /** Which half of the search found it; `definition`: it defines what the question names. */
  why: 'words' | 'meaning' | 'both' | 'definition';
}

export interface IndexResult {
  files: number;
  chunks: number;
  /** Texts that were sent. */
  embedded: number;
  /** Chunks that needed no request. */
  reused: number;
  /** Texts that the service cannot take, found by words alone; left out where there are none. */
  refused?: number;
  /** Files left out. */
  skipped: number;
}

export interface TranslatedFile {
  uri: Uri;
  text: string;
  /** With times in seconds, where the service gave them. */
  segments?: { start: number; end: number; text: string }[];
  /** What has to be known of the text: no speech was found, the service did not translate, or the disk did not take it. */
  note?: string;
}

/** A failure: `message` is a sentence for a person, `code` says what happened. */
export interface CommandError extends Error {
  code: ErrorCode;
}

export type ErrorCode =
  // before anything is sent
  | 'invalid-request'
  | 'cancelled'
  | 'no-folder'
  | 'untrusted'
  | 'virtual'
  | 'not-a-file'
  | 'no-address'
  | 'bad-address'
  | 'no-key'
  | 'insecure'
  | 'no-model'
  | 'file-missing'
  | 'file-empty'
  | 'not-audio'
  | 'git-lfs-pointer'
  | 'git'
  | 'storage'
  | 'shared-file'
  | 'team-store'
  // what the service said
  | 'auth'
  | 'permission'
  | 'not-found'
  | 'model-not-found'
  | 'context-length'
  | 'rate-limit'
  | 'quota'
  | 'too-large'
  | 'bad-request'
  | 'content-filter'
  | 'declined'
  | 'overloaded'
  | 'server'
  // what happened on the way
  | 'dns'
  | 'refused'
  | 'tls'
  | 'proxy'
  | 'reset'
  | 'timeout'
  | 'redirect'
  // an answer that is not what it should be
  | 'truncated'
  | 'answer-too-long'
  | 'malformed'
  | 'login-page'
  /** A fault of Parley; its log has more. */
  | 'unexpected';

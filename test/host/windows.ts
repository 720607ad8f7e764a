/**
 * The windows in which the suites run, each with fresh state: VS Code grows slower with every test that a window has seen, and
 * two windows use two cores. The longest come first.
 */
export const windows = {
  search: [
    'search/search',
    'search/similar',
    'search/whileReading',
    'search/why',
    'search/results',
    'search/operators',
    'search/definitions',
  ],
  // 'selection' opens the chat for the first time, and wants the caret in it.
  chat: ['chat/selection', 'chat/layout', 'chat/tabs', 'chat/keys', 'chat/chat', 'chat/commands', 'chat/oddAnswers'],
  edits: [
    'edits/edits',
    'edits/review',
    'edits/sets',
    'edits/stack',
    'edits/whole',
    'edits/notebooks',
    'edits/kept',
    'edits/asking',
    'chat/code',
    'audio/audio',
    'audio/pieces',
    'audio/documents',
    'audio/versions',
  ],
  scm: ['scm/commit', 'scm/findings', 'audio/transcribe', 'audio/waveform'],
  prompts: ['chat/prompts', 'chat/details', 'chat/comparison', 'chat/confidence', 'chat/structured', 'chat/biasWords'],
  flood: ['chat/flood', 'chat/context', 'chat/mentions', 'chat/history'],
  index: [
    'search/badInput',
    'search/indexing',
    'search/question',
    'search/encodings',
    'search/lostStorage',
    'search/changedModel',
    'search/otherPrograms',
    'search/sharedFile',
    'search/teamStore',
  ],
  firstUse: ['house/firstUse'],
  /** Parley was just installed, from the VSIX: no suite before has connected. */
  newcomer: ['house/newcomer'],
  // Once VS Code has asked for models, it asks again whenever the connection changes.
  models: [
    'models/models',
    'models/streams',
    'models/thoughts',
    'models/abilities',
    'models/hostile',
    'models/groups',
    'models/tools',
    'models/agents',
  ],
  outsideText: ['house/hostileSettings', 'text/plainText', 'text/injection'],
  // 'activation' looks at what a window has done before anything is touched.
  connection: [
    'house/activation',
    'connect/walkthrough',
    'connect/connect',
    'connect/choices',
    'connect/errors',
    'connect/network',
    'connect/exchanges',
    'house/palette',
    'house/storage',
  ],
  /** The folder is not trusted. */
  restricted: ['house/restricted', 'models/restricted'],
  /** A workspace file opened it, with a second folder. */
  workspaceFile: ['house/hostileSettings', 'search/folders'],
  /** It was reloaded (suites/beforeReload.ts). */
  reloaded: ['search/reload', 'chat/reload', 'chat/tabReload', 'edits/reload', 'audio/reload'],
  /** It was reloaded while requests were under way (suites/leaveRequests.ts); then there is a second window on the same storage. */
  requests: ['chat/requestsReload', 'chat/twoWindows', 'edits/twoWindows', 'search/twoWindows'],
  /** A hostile workspace is open (attack.ts): a small one, but for `npm run attack`. */
  attack: ['house/hostileFolder'],
  attackRestricted: ['house/hostileFolder'],
  /** Only `npm run bench -- edits` opens it. */
  benchEdits: ['edits/figures'],
  /** Only `npm run bench -- start` does, ten times. */
  benchStart: ['house/figures'],
  /** Only `npm run bench -- audio` does. */
  benchAudio: ['audio/figures'],
  /** Only `npm run bench -- index` does. */
  benchSearch: ['search/figures'],
  /** Only `npm run bench -- panel` does. */
  benchRequest: ['chat/figures'],
} as const satisfies Record<string, readonly string[]>;

export type WindowName = keyof typeof windows;

/** Those that `npm test` opens. */
export const testWindows = (Object.keys(windows) as WindowName[]).filter((name) => !name.startsWith('bench'));

/** Those in which a hostile workspace is open. */
export const hostileWindows = ['attack', 'attackRestricted'] as const satisfies readonly WindowName[];

/** Which window this process is for; PARLEY_TEST_WINDOW says so to all that a window consists of. */
export function currentWindow(): WindowName | undefined {
  const name = process.env.PARLEY_TEST_WINDOW;
  return name !== undefined && name in windows ? (name as WindowName) : undefined;
}

import * as z from 'zod/mini';
import type { Action, Message, WorkspacePlace } from '../conversation/conversation.ts';
import { messageActions } from '../conversation/conversationActions.ts';
import { askedSchema, parseAction } from '../history/actionSchema.ts';
import { format, formatVersion } from './exportJson.ts';
import { isDeeperThan } from './jsonDepth.ts';

/** The most bytes of a file, conversations in it, and messages in one of them. */
export const largestImport = 100 * 1024 * 1024;
const mostConversations = 10_000;
const mostMessages = 20_000;
/** How many lists and objects may stand in each other: a file of ours has ten, around a parameter as deep as a request may be. */
const deepestImport = 160;

/** Why nothing of a file can be taken. */
export type ImportProblem = 'no-json' | 'another-format' | 'newer' | 'empty';

export interface Imported {
  /** The actions of each conversation, for a file of its own. */
  readonly conversations: readonly (readonly Action[])[];
  /** Messages, and whole conversations, that are not as they have to be, or too many. */
  readonly leftOut: number;
}

export interface ImportOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The folder that the conversations will belong to. */
  readonly workspace?: WorkspacePlace | undefined;
  /** Whether a conversation of this id is there. */
  readonly isTaken: (id: string) => boolean;
  readonly newId: () => string;
}

const id = z.string().check(z.regex(/^[\w-]{1,64}$/));
const time = z.number().check(z.gte(0), z.lte(8.64e15));
const shortText = z.string().check(z.maxLength(2000));
const anything = z.optional(z.unknown());
const optionalTime = z.optional(time);

const fileSchema = z.object({ format: z.literal(format), version: z.number(), conversations: z.array(z.unknown()) });

const conversationSchema = z.object({
  id: z.optional(id),
  title: z.optional(z.string().check(z.maxLength(1000))),
  isPinned: z.optional(z.boolean()),
  createdAt: optionalTime,
  updatedAt: optionalTime,
  configuration: z.optional(z.object({ model: anything, systemPrompt: anything, parameters: anything })),
  messages: z.array(z.unknown()),
  chosen: z.optional(z.array(z.unknown())),
});

const placed = { id, parent: z.optional(id), at: time, isDeleted: z.optional(z.boolean()) };
const timings = z.optional(z.object({ firstTokenMs: z.optional(z.number()), totalMs: z.optional(z.number()) }));
const messageSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    ...placed,
    text: z.optional(z.string()),
    attachments: z.optional(z.array(z.unknown()).check(z.maxLength(1000))),
    label: z.optional(shortText),
  }),
  z.object({
    role: z.literal('assistant'),
    ...placed,
    text: z.optional(z.string()),
    reasoning: z.optional(z.string()),
    state: z.optional(z.enum(['streaming', 'complete', 'stopped', 'failed'])),
    // Not the hint: an address to try comes from a service that was asked, not out of a file.
    error: z.optional(
      z.object({
        kind: shortText,
        status: z.optional(z.number()),
        message: z.optional(shortText),
        param: z.optional(shortText),
        url: z.optional(shortText),
      }),
    ),
    model: z.optional(shortText),
    usage: z.optional(z.unknown()),
    timings,
    endedAt: optionalTime,
    finishReason: z.optional(shortText),
    declined: z.optional(z.boolean()),
    adjustments: z.optional(z.array(z.object({ field: shortText, renamedTo: z.optional(shortText) }))),
    calls: z.optional(z.array(z.object({ name: shortText, arguments: z.string() }))),
    systemFingerprint: z.optional(shortText),
    asked: z.optional(z.catch(z.optional(askedSchema), undefined)),
    fork: z.optional(z.object({ at: z.int().check(z.gte(0)), isAnew: z.optional(z.boolean()) })),
  }),
]);
const choiceSchema = z.object({ id, at: time });

/** Reads a file of exported conversations, which may come from anywhere: what is not as it has to be is left out, and counted. */
export function importJson(text: string, options: ImportOptions): Imported | ImportProblem {
  if (isDeeperThan(text, deepestImport)) return 'another-format';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'no-json';
  }
  const file = fileSchema.safeParse(value);
  if (!file.success) return 'another-format';
  if (file.data.version > formatVersion) return 'newer';
  const given = file.data.conversations.slice(0, mostConversations);
  const taken = new Set<string>();
  const read = given.map((each) => readConversation(each, taken, options));
  const conversations = read.flatMap((each) => (each === undefined ? [] : [each.actions]));
  if (conversations.length === 0) return 'empty';
  const tooMany = file.data.conversations.length - given.length;
  return { conversations, leftOut: read.reduce((sum, each) => sum + (each?.leftOut ?? 1), tooMany) };
}

/** @param taken the ids of those that were read before */
function readConversation(value: unknown, taken: Set<string>, options: ImportOptions) {
  const parsed = conversationSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { title, isPinned, createdAt, updatedAt, configuration, messages, chosen = [] } = parsed.data;
  const { actions, ids, leftOut } = readMessages(messages, options.now);
  if (actions.length === 0) return undefined;
  const given = parsed.data.id;
  const isFree = given !== undefined && !taken.has(given) && !options.isTaken(given);
  const id = isFree ? given : options.newId();
  taken.add(id);
  const past = (at: number | undefined): number => Math.min(at ?? options.now, options.now);
  const choices = chosen.flatMap((each): Action[] => {
    const choice = choiceSchema.safeParse(each);
    return choice.success && ids.has(choice.data.id)
      ? [{ type: 'choose', id: choice.data.id, at: past(choice.data.at) }]
      : [];
  });
  const { workspace } = options;
  const configure = configuration && parseAction({ type: 'configure', ...configuration, at: past(updatedAt) });
  const all: Action[] = [
    { type: 'create', id, at: past(createdAt), ...(workspace && { workspace }) },
    ...(configure === undefined ? [] : [configure]),
    ...actions,
    ...choices,
    ...(title === undefined ? [] : [{ type: 'rename', title, at: past(updatedAt) } as const]),
    ...(isPinned === undefined ? [] : [{ type: 'pin', isPinned, at: past(updatedAt) } as const]),
  ];
  const isMisread = configuration !== undefined && configure === undefined;
  return { actions: all, leftOut: leftOut + Number(isMisread) };
}

/** The actions of messages, of which each has to come after the one that it follows. */
function readMessages(given: readonly unknown[], now: number) {
  const roles = new Map<string, Message['role']>();
  const actions: Action[] = [];
  let leftOut = Math.max(0, given.length - mostMessages);
  for (const each of given.slice(0, mostMessages)) {
    const message = readMessage(each, now);
    const parent = message?.parent === undefined ? undefined : roles.get(message.parent);
    const isPlaced =
      message !== undefined &&
      !roles.has(message.id) &&
      (message.role === 'user' ? message.parent === undefined || parent !== undefined : parent === 'user');
    if (!isPlaced) {
      leftOut++;
      continue;
    }
    roles.set(message.id, message.role);
    actions.push(...message.actions);
  }
  return { actions, ids: roles, leftOut };
}

function readMessage(value: unknown, now: number) {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { isDeleted, ...given } = parsed.data;
  const { role, id, parent } = given;
  const at = Math.min(given.at, now);
  const whole = given.role === 'user' ? { text: '', attachments: [], ...given, at } : wholeAnswer(given, at);
  // The schema of the conversations' own files has the last word: what it lets pass can be read again.
  const actions = messageActions(whole as Message).map((action) => parseAction(action));
  if (isDeleted) actions.push({ type: 'delete', ids: [id], at });
  const sound = actions.filter((action) => action !== undefined);
  return sound.length === actions.length ? { role, id, parent, actions: sound } : undefined;
}

/** An answer that was being written when it was exported was cut off. */
function wholeAnswer(given: Extract<z.infer<typeof messageSchema>, { role: 'assistant' }>, at: number) {
  const state = given.state ?? 'complete';
  const cut = state === 'streaming' ? { state: 'failed', error: { kind: 'truncated' } } : { state };
  return { text: '', reasoning: '', timings: {}, ...given, ...cut, at };
}

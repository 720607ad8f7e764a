/** Actions, and lists of them, that the tests of the chat are made of. */
import fc from 'fast-check';
import {
  type Action,
  type Conversation,
  emptyConversation,
  type Message,
  type ToldFacts,
} from '../../../src/chat/conversation/conversation.ts';
import { reduce } from '../../../src/chat/conversation/reduce.ts';
import type { Patch } from '../../../src/webview/shared/protocol/protocol.ts';

type Of<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

export function ask(id: string, at: number, parent?: string, more: Partial<Of<'ask'>> = {}): Of<'ask'> {
  return { type: 'ask', id, ...(parent && { parent }), text: `Question ${id}`, attachments: [], at, ...more };
}

export function answer(id: string, at: number, parent: string): Of<'answer'> {
  return { type: 'answer', id, parent, at };
}

export function append(id: string, text: string, field: 'text' | 'reasoning' = 'text'): Of<'append'> {
  return { type: 'append', id, field, text };
}

export function describing(id: string, facts: ToldFacts): Of<'describe'> {
  return { type: 'describe', id, facts };
}

export function end(id: string, at: number, more: Partial<Of<'end'>> = {}): Of<'end'> {
  return { type: 'end', id, state: 'complete', totalMs: 9, at, ...more };
}

/** A question and its whole answer: the turn 1 at the time 10 is `q1`, `a1`, and takes three units of time. */
export function turn(name: number | string, at: number, parent?: string): Action[] {
  const [question, id] = [`q${name}`, `a${name}`];
  return [ask(question, at, parent), answer(id, at + 1, question), append(id, `Answer ${id}`), end(id, at + 2)];
}

/** What comes of actions, one after another. */
export function play(actions: Iterable<Action>, from: Conversation = emptyConversation('c', 1)) {
  let conversation = from;
  const patches: Patch<Message>[] = [];
  for (const action of actions) {
    const step = reduce(conversation, action);
    conversation = step.conversation;
    patches.push(...step.patches);
  }
  return { conversation, patches };
}

export const idsOf = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);

/** A step of a random window, which becomes an action of the messages that are there. */
interface RandomStep {
  readonly type: Exclude<Action['type'], 'presumeCut'>;
  /** Of the messages that came last, from which trees get deep. */
  readonly near: number;
  /** Of all messages. */
  readonly far: number;
  readonly text: string;
  readonly flag: boolean;
  readonly gap: number;
}

const randomStep: fc.Arbitrary<RandomStep> = fc.record({
  type: fc.constantFrom<RandomStep['type'][]>(
    ...([
      'ask',
      'ask',
      'ask',
      'answer',
      'answer',
      'answer',
      'answer',
      'append',
      'append',
      'rewrite',
      'describe',
      'end',
    ] as const),
    ...([
      'choose',
      'choose',
      'delete',
      'delete',
      'restore',
      'restore',
      'rename',
      'pin',
      'configure',
      'summarise',
    ] as const),
  ),
  near: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
  far: fc.nat(50),
  text: fc.string({ maxLength: 4 }),
  flag: fc.boolean(),
  gap: fc.integer({ min: 1, max: 20 }),
});

export const randomSteps = (maxLength: number) => fc.array(randomStep, { maxLength, size: 'max' });

interface Window {
  /** What the ids of its messages begin with. */
  readonly name: string;
  /** The remainder of its times by two, so that no two windows do something at the same time. */
  readonly parity?: 0 | 1;
  /** What happened before, in any window. */
  readonly before?: readonly Action[];
}

/**
 * The actions of a window: its ids are unique, its times go up, and now and then one names a message that does not exist. As a
 * window does, it writes to answers of its own alone, though it may stop others, and restores what it knows to be deleted.
 */
export function actionsOf(steps: readonly RandomStep[], { name, parity = 0, before = [] }: Window): Action[] {
  const idsIn = (...types: Action['type'][]): string[] =>
    before.flatMap((action) => (types.includes(action.type) && 'id' in action ? [action.id] : []));
  const all = idsIn('ask', 'answer');
  const questions = idsIn('ask');
  const answers = idsIn('answer');
  const written: string[] = [];
  const deleted = before.flatMap((action) => (action.type === 'delete' ? action.ids : []));
  let at = 1000 + parity;
  const step = ({ type, near, far, text, flag, gap }: RandomStep, i: number): Action[] => {
    at += 2 * gap;
    const id = `${name}${i}`;
    const planted = (action: Action, ...lists: string[][]): Action[] => {
      for (const list of [all, ...lists]) list.push(id);
      return [action];
    };
    switch (type) {
      case 'ask':
        return planted(ask(id, at, picked(all, near), { text }), questions);
      case 'answer': {
        const parent = picked(questions, near);
        return parent === undefined ? [answer(id, at, 'nowhere')] : planted(answer(id, at, parent), answers, written);
      }
      case 'append':
        return [append(picked(written, near) ?? 'nowhere', text, flag ? 'text' : 'reasoning')];
      case 'rewrite':
        return [{ type: 'rewrite', id: picked(written, near) ?? 'nowhere', text, reasoning: String(far) }];
      case 'describe': {
        const facts = flag ? { model: text } : { timings: { firstTokenMs: far } };
        return [describing(picked(written, near) ?? 'nowhere', facts)];
      }
      case 'end':
        return [end(picked(answers, near) ?? 'nowhere', at, flag ? {} : { state: 'failed', error: { kind: 'reset' } })];
      case 'choose':
        return [{ type, id: picked(all, far) ?? 'nowhere', at }];
      case 'delete': {
        const ids = [picked(all, far) ?? 'nowhere', ...(flag ? [] : all.slice(-1))];
        deleted.push(...ids);
        return [{ type, ids, at }];
      }
      case 'restore':
        return [{ type, ids: flag ? deleted.slice(-2) : [picked(deleted, far) ?? 'nowhere'], at }];
      case 'rename':
        return [{ type, title: text, at }];
      case 'pin':
        return [{ type, isPinned: flag, at }];
      case 'configure':
        return [{ type, ...(flag ? { model: text || null } : { parameters: { temperature: near || null } }), at }];
      case 'summarise':
        return [{ type, upTo: picked(all, far) ?? 'nowhere', text, at }];
      case 'create':
        return [];
    }
  };
  return steps.flatMap(step);
}

/** One of the ids, counted from the last one, or none of them. */
function picked(ids: readonly string[], pick: number): string | undefined {
  return ids.at(-1 - (pick % (ids.length + 1)));
}

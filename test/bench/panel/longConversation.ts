import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistory } from '../../../src/chat/history/history.ts';
import { cutMessage } from '../../../src/chat/ui/panel/page/outbox.ts';
import { codeAnswer, range } from './texts.ts';
import { messageView } from './views.ts';

const questions = 500;
/** Every so many questions, one is asked in ten versions, and another is answered ten times. */
const versionsEvery = 50;
const versions = 10;

/** Conversations of 1,000 messages on the disk, as their windows have written them. */
export interface LongConversations {
  readonly ids: readonly string[];
  /** Reads one from the disk, and gives its messages as the panel is sent them. */
  open(id: string): Promise<readonly object[]>;
  remove(): Promise<void>;
}

export async function writeLongConversations(): Promise<LongConversations> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const ids = ['first', 'second'];
  for (const id of ids) await write(folder, id);
  return {
    ids,
    async open(id) {
      // A window that was just opened: nothing is known of the file.
      const kept = await createHistory(folder).open(id);
      if (kept?.conversation.messages.length !== questions * 2)
        throw new Error('The conversation is not as it was written.');
      return kept.conversation.messages.map(messageView).map(cutMessage);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function write(folder: string, conversation: string): Promise<void> {
  const log = createHistory(folder).begin(conversation);
  const parts = codeAnswer().split(/^(?=## )/m);
  let at = 1;
  let parent: string | undefined;
  log.append({ type: 'create', id: conversation, at });
  for (const i of range(questions)) {
    const hasVersions = i % versionsEvery === 0;
    for (const version of range(hasVersions ? versions : 1)) {
      const text = `Question ${i + 1}, in other words ${version + 1}: what does step ${i} promise to the step after it?`;
      const id = `q${i}v${version}`;
      log.append({ type: 'ask', id, ...(parent === undefined ? {} : { parent }), text, attachments: [], at: at++ });
      for (const again of range(hasVersions && version === versions - 1 ? versions : 1)) {
        const answer = `${id}a${again}`;
        log.append({ type: 'answer', id: answer, parent: id, at: at++ });
        // A part is some 2 KB of Markdown with one block of code.
        log.append({ type: 'append', id: answer, field: 'text', text: parts[(i + again) % parts.length] ?? '' });
        log.append({ type: 'describe', id: answer, facts: { model: 'parley-chat', timings: { firstTokenMs: 300 } } });
        log.append({ type: 'end', id: answer, state: 'complete', totalMs: 4000, at: at++ });
        if (version === (hasVersions ? versions - 1 : 0)) parent = answer;
      }
    }
  }
  await log.flush();
}

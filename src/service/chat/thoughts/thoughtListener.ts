import type { ChannelListener } from './channels.ts';

/** Takes the parts of an answer, in order. */
export interface ThoughtListener extends ChannelListener {
  /** All that came so far is this instead: its thoughts, or their end, are known only now. */
  onReplaced(text: string, thoughts: string): void;
}

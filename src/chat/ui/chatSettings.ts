import { readSetting } from '../../editor/settings.ts';
import type { ChatSettings } from '../answering/answering.ts';
import { defaultSystemPrompt } from '../answering/systemMessage.ts';

/** What the settings say, with which every conversation starts. */
export function readChatSettings(): ChatSettings {
  return {
    stream: readSetting('parley.chat.stream'),
    systemPrompt: readSetting('parley.chat.systemPrompt').trim() || defaultSystemPrompt,
    extra: readSetting('parley.chat.extraBody'),
  };
}

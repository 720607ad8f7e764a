import { l10n } from 'vscode';
import type { Strings } from '../../../webview/shared/protocol.ts';

/** The panel's own strings. */
export function panelStrings(): Strings {
  return {
    conversation: l10n.t('Conversation'),
    empty: l10n.t('Ask about your code, or anything else.'),
    suggestions: l10n.t('Things to try'),
    notConnected: l10n.t('Connect a service to start a conversation.'),
    connect: l10n.t('Connect'),
    noKey: l10n.t('The service is set; its API key is missing.'),
    setKey: l10n.t('Set API Key'),
    messageBox: l10n.t('Message'),
    placeholder: l10n.t('Ask a question'),
    attached: l10n.t('Attached'),
    detach: l10n.t('Remove {0}'),
    search: l10n.t('Search Workspace for This Question'),
    searching: l10n.t('Searching the workspace'),
    send: l10n.t('Send'),
    stop: l10n.t('Stop'),
    pickModel: l10n.t('Pick Model'),
    modelIs: l10n.t('Model {0}, pick another'),
    tokens: l10n.t('Tokens of this conversation, as the service last counted them'),
    you: l10n.t('You asked'),
    answer: l10n.t('Answer'),
    waiting: l10n.t('Waiting for the answer'),
    reasoning: l10n.t('Reasoning'),
    copy: l10n.t('Copy'),
    copyAnswer: l10n.t('Copy Answer'),
    copied: l10n.t('Copied'),
    insert: l10n.t('Insert at Cursor'),
    retry: l10n.t('Retry'),
    latest: l10n.t('Jump to Latest'),
    details: l10n.t('Details of this answer'),
    code: l10n.t('Code'),
    text: l10n.t('text'),
    image: l10n.t('Image: {0}'),
    answerEnded: l10n.t('Answer: {0}'),
    answerStopped: l10n.t('Answer stopped.'),
    answerFailed: l10n.t('No answer: {0}'),
  };
}

import { commands, env, l10n, Uri } from 'vscode';
import type { InstructionFiles } from '../../../editor/files/instructionFiles.ts';
import type { Notices } from '../../../editor/notices.ts';
import { errorText } from '../../../editor/sentences/errorText.ts';
import { writeSetting } from '../../../editor/settings.ts';
import type { TextTabs } from '../../../editor/text/textTabs.ts';
import { Command } from '../../../ids/ids.ts';
import type { FromComparison } from '../../../webview/shared/protocol/comparisonProtocol.ts';
import type { FromChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import { tokenFork } from '../../confidence/tokenFork.ts';
import type { TokenStore } from '../../confidence/tokenStore.ts';
import type { Conversation, Message } from '../../conversation/conversation.ts';
import { type ConfigurationChange, configurationOf, resetOf } from '../../parameters/configuration.ts';
import { isParameterName } from '../../parameters/parameterForms.ts';
import { readParameter } from '../../parameters/parameterText.ts';
import { confidenceView } from '../confidence/confidenceView.ts';
import type { EditorConfidence } from '../confidence/editorConfidence.ts';
import type { PickModelArguments } from '../configuration/chatModel.ts';
import { copyDraft, type DraftParts } from '../configuration/copyDraft.ts';
import { parameterProblemText } from '../configuration/parameterTexts.ts';
import type { ContextAdder } from '../context/contextAdder.ts';
import type { Images } from '../context/images.ts';
import type { AttachmentViewer } from '../context/openAttachment.ts';
import type { OpenFile } from '../context/openFile.ts';
import { questionOf } from '../context/prompts/usePrompt.ts';
import type { QuestionSearch } from '../context/questionSearch.ts';
import type { Suggestion } from '../context/suggestions.ts';
import type { ShownConversation } from '../conversations/shownConversation.ts';
import { answerDataView, copyData, fixOf } from '../structured/answerDataView.ts';
import { type AgainParts, askAgain } from './answer/askAgain.ts';
import { applyAnswer, applyCode, type CodeReview } from './code/applyCode.ts';
import { insertAtCursor, openAsNewFile } from './code/insertCode.ts';
import type { DiagramPreview } from './code/previewDiagram.ts';
import { runInTerminal } from './code/runInTerminal.ts';
import { compareVersions } from './comparison/compareVersions.ts';
import { instructionChipId, serviceErrorOf } from './messageView.ts';
import { openFile } from './namedFiles.ts';
import { openLink } from './openLink.ts';
import type { PanelView } from './page/panelPage.ts';
import { showSummary, summariseOlder } from './summariseOlder.ts';

/** Messages that are about the page itself. */
export type AboutPage = Extract<
  FromChatPanel,
  { readonly type: 'ready' | 'drawn' | 'focused' | 'takeBack' | 'fork' | 'findFiles' }
>;
/** Messages about the choices at a box. */
type AboutChoices = Extract<FromChatPanel, { readonly type: 'complete' | 'chooseCompletion' }>;

/** The parts that the user's actions in the panel work with. */
export interface PanelActions extends AgainParts, DraftParts {
  readonly adder: ContextAdder;
  readonly openFile: Pick<OpenFile, 'set'>;
  readonly images: Images;
  readonly viewer: AttachmentViewer;
  readonly search: QuestionSearch;
  /** The suggestions as they were shown last. */
  readonly suggestions: () => readonly Suggestion[];
  readonly instructions: InstructionFiles;
  /** Undefined when the edits did not start. */
  readonly review: CodeReview | undefined;
  readonly diagrams: DiagramPreview;
  /** Puts words back into the box. */
  readonly giveBack: (text: string) => void;
  readonly post: PanelView['post'];
  readonly tokens: Pick<TokenStore, 'of'>;
  readonly confidence: Pick<EditorConfidence, 'expect'>;
  readonly versionTabs: TextTabs;
}

type Action = Exclude<FromChatPanel, AboutPage | AboutChoices | FromComparison>;
type ActionOf<Type> = Extract<Action, { readonly type: Type }>;

/** What each action of the user does. */
const actions: { readonly [Type in Action['type']]: (message: ActionOf<Type>, panel: PanelActions) => unknown } = {
  send,
  summarise: (_, { shown, notices }) => summariseOlder(shown, notices),
  showSummary: (_, { shown }) => showSummary(shown),
  async suggestion({ index }, { shown, attachments, suggestions }) {
    const chosen = suggestions()[index];
    if (chosen === undefined) return;
    const asked = chosen.attachments();
    // The open file goes along once.
    const others = attachments.take().filter(({ path }) => asked.every((each) => each.path !== path));
    await shown.askNext(chosen.text, [...others, ...asked]);
  },
  stop: (_, { shown }) => shown.stop(),
  retry: askAgain,
  regenerate: askAgain,
  edit: askAgain,
  continue: ({ message }, { shown }) => shown.continue(message),
  beginEdit({ message }, { shown, edited }) {
    const question = messageOf(shown, message);
    if (question?.role === 'user') edited.begin(question);
  },
  endEdit: ({ message }, { edited }) => edited.end(message),
  choose: ({ message }, { shown }) => shown.change(undefined, (session) => session.choose(message)),
  delete: ({ message }, { shown, notices }) => deleteMessage(shown, message, notices),
  connect: () => commands.executeCommand(Command.connect),
  setKey: () => commands.executeCommand(Command.setApiKey),
  pickModel: () =>
    commands.executeCommand(Command.chatPickModel, { forConversation: true } satisfies PickModelArguments),
  setField,
  async sendFile({ id, isSent }, { shown, instructions }) {
    const file = instructions.list.find(({ uri }) => instructionChipId(uri) === id);
    if (file !== undefined) await configure(shown, { instructions: { [file.uri]: isSent } });
  },
  sendOpenFile: ({ isSent }, { openFile }) => openFile.set(isSent),
  openSystemPrompt: () => commands.executeCommand(Command.chatSystemPrompt),
  compareVersions: ({ message, other }, { shown, versionTabs }) => compareVersions(message, shown, versionTabs, other),
  replay: ({ message }, { shown }) => shown.replay(message),
  showExchange: ({ message }, { shown }) =>
    commands.executeCommand(Command.showExchanges, { tags: tagsOf(message, shown.conversation) }),
  pickPreset: () => commands.executeCommand(Command.chatPresets),
  pickSchema: () => commands.executeCommand(Command.chatSchema),
  biasWords: () => commands.executeCommand(Command.chatBiasWords),
  showData({ message }, { shown, post }) {
    const view = answerDataView(messageOf(shown, message));
    if (view !== undefined) post({ type: 'data', message, view });
  },
  copyData: ({ message, as }, { shown }) => copyData(messageOf(shown, message), as),
  async fixData({ message }, { shown }) {
    const question = fixOf(messageOf(shown, message));
    if (question !== undefined) await shown.askNext(question, [], { label: l10n.t('Fix JSON') });
  },
  showConfidence({ message }, { shown, tokens, post }) {
    const answer = messageOf(shown, message);
    if (answer?.role === 'assistant')
      post({ type: 'confidence', message, view: confidenceView(answer, tokens.of(message)) });
  },
  async forkToken({ message, at, other }, { shown, tokens }) {
    const answer = messageOf(shown, message);
    const fork = answer && tokenFork(answer.text, tokens.of(message), at, other);
    if (fork !== undefined) await shown.forkToken(message, fork);
  },
  openExtraBody: () => commands.executeCommand('workbench.action.openSettings', '@id:parley.chat.extraBody'),
  openRequest: () => commands.executeCommand(Command.chatRequest),
  copyRequest: ({ text }, panel) => copyDraft(text, panel),
  async keepModel(_, { shown }) {
    const { model } = configurationOf(shown.conversation.configured);
    if (model === undefined) return;
    await writeSetting('parley.chat.model', model);
    await configure(shown, { model: null });
  },
  resetConfiguration: (_, { shown }) => configure(shown, resetOf(configurationOf(shown.conversation.configured))),
  helpWith: ({ message }, { shown }) => helpWith(messageOf(shown, message), shown.conversation),
  detach: ({ chip }, panel) => detach(chip, panel),
  readChip({ chip }, { attachments, viewer }) {
    const attachment = attachments.list.find(({ id }) => id === chip);
    return attachment && viewer.open(attachment);
  },
  attachUris: ({ uris }, { adder }) => adder.addFiles(uris.map((uri) => Uri.parse(uri))),
  pasteText: (message, { adder }) => adder.addText(pastedText(message)),
  pasteImage: (message, { images }) => images.addPasted(message),
  imageScaled(message, { images, edited }) {
    for (const each of [images, ...edited.all.map((context) => context.images)]) each.scaled(message);
  },
  search: ({ text }, { search }) => search.run(text),
  copy: ({ text }) => env.clipboard.writeText(text),
  copyMessage({ message }, { shown }) {
    const copied = messageOf(shown, message);
    return copied && env.clipboard.writeText(copied.text);
  },
  insert({ text, message }, panel) {
    expectMarks(message, panel, text);
    return insertAtCursor(text, panel.notices);
  },
  apply({ text, path, message }, panel) {
    expectMarks(message, panel, text);
    return applyCode(text, path, panel.review, panel.notices);
  },
  applyAnswer({ message }, panel) {
    const { shown, review } = panel;
    expectMarks(message, panel);
    return applyAnswer(messageOf(shown, message), shown.conversation, review);
  },
  newFile({ text, language, message }, panel) {
    expectMarks(message, panel, text);
    return openAsNewFile(text, language);
  },
  runInTerminal: ({ text, language }, { notices }) => runInTerminal(text, language, notices),
  preview: ({ text }, { diagrams }) => diagrams.show(text),
  openFile: (message, { notices }) => openFile(message, notices),
  openChip({ message, chip }, { shown, viewer }) {
    const question = messageOf(shown, message);
    const found = question?.role === 'user' ? question.attachments.find(({ id }) => id === chip) : undefined;
    return found && viewer.open(found);
  },
  openLink: ({ href }, { notices }) => openLink(href, notices),
};

/** Carries out the user's action in the panel. */
export async function act(message: Action, panel: PanelActions): Promise<void> {
  const run = actions[message.type] as (message: Action, panel: PanelActions) => unknown;
  await run(message, panel);
}

/** Code of an answer is about to come into a document, where it is marked by how sure the model was. */
function expectMarks(message: string | undefined, { shown, confidence }: PanelActions, code?: string): void {
  const answer = message === undefined ? undefined : messageOf(shown, message);
  if (answer?.role === 'assistant') confidence.expect(answer, code);
}

function configure(shown: ShownConversation, change: ConfigurationChange): Promise<void> {
  return shown.change(undefined, (session) => session.configure(change));
}

/** Sets a field of the request, or says what it takes. */
async function setField({ name, text }: ActionOf<'setField'>, { shown, post }: PanelActions): Promise<void> {
  if (!isParameterName(name)) return;
  const read = readParameter(name, text);
  if ('value' in read) await configure(shown, { parameters: { [name]: read.value } });
  else post({ type: 'fieldProblem', name, problem: parameterProblemText(name, read) });
}

async function send({ text, fit }: ActionOf<'send'>, panel: PanelActions): Promise<void> {
  const { shown, attachments, search, notices, gauge, giveBack } = panel;
  const { id } = shown.conversation;
  search.stop();
  // What was chosen a moment ago goes along.
  await attachments.settled();
  if (fit === 'leaveOut') gauge.leaveOut();
  const isReady = fit !== 'summarise' || (await summariseOlder(shown, notices));
  // The question is for the conversation in which it was sent, not for one that was opened meanwhile.
  if (!isReady || shown.conversation.id !== id) return giveBack(text);
  await ask(text, panel, fit === 'whole');
}

/** A pasted text as an attachment: named by its lines, or as the file that it was. */
function pastedText({ name, language, text }: Extract<FromChatPanel, { readonly type: 'pasteText' }>) {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const label = name === '' ? l10n.t('Pasted text, {0} lines', lines) : name;
  return { kind: 'pasted', label, path: name, languageId: language, text } as const;
}

function messageOf({ conversation }: ShownConversation, id: string): Message | undefined {
  // A version in a column need not be on the path.
  return conversation.messages.find((message) => message.id === id) ?? conversation.tree.get(id);
}

/** Deletes a message of the current conversation; a button brings it back. */
async function deleteMessage(shown: ShownConversation, id: string, notices: Notices): Promise<void> {
  const conversation = shown.conversation.id;
  let deleted: readonly string[] = [];
  await shown.change(undefined, (session) => {
    deleted = session.delete(id);
  });
  if (deleted.length === 0) return;
  void notices.info(l10n.t('The message was deleted.'), {
    title: l10n.t('Undo'),
    command: Command.chatBringBack,
    arguments: [conversation, deleted],
  });
}

/** Asks, or says why the prompt that a message names cannot be used; the words are not lost then. */
async function ask(text: string, panel: PanelActions, isWhole: boolean): Promise<void> {
  const { shown, attachments, prompts, notices, giveBack } = panel;
  const question = await questionOf(text, prompts, notices);
  if (question === undefined) return giveBack(text);
  for (const attachment of question.attachments) attachments.add(attachment);
  await shown.askNext(question.text, attachments.take(), { label: question.label, isWhole });
}

/** Takes away what would go along: a piece of the next question, or an instruction file from the conversation. */
async function detach(chip: string, { shown, attachments, instructions }: PanelActions): Promise<void> {
  const file = instructions.list.find(({ uri }) => instructionChipId(uri) === chip);
  if (file === undefined) return attachments.remove(chip);
  await configure(shown, { instructions: { [file.uri]: false } });
}

async function helpWith(message: Message | undefined, { configured }: Conversation): Promise<void> {
  const error = message?.role === 'assistant' && message.error ? serviceErrorOf(message.error) : undefined;
  const action = error && errorText(error).action;
  if (action === undefined) return;
  // A model of the conversation's own is what does not work; else the one in the settings is.
  const forConversation = configurationOf(configured).model !== undefined;
  const given = action.command === Command.chatPickModel ? [{ forConversation }] : (action.arguments ?? []);
  await commands.executeCommand(action.command, ...given);
}

/** The marks of the request of an answer: its own, and those of versions of the same request, of which one may have brought it along. */
function tagsOf(id: string, { messages, tree }: Conversation): string[] {
  const { versions = [] } = messages.find((message) => message.id === id) ?? {};
  const requestOf = (version: string): string | undefined => {
    const message = tree.get(version);
    return message?.role === 'assistant' ? message.askedWith?.request : undefined;
  };
  const before = versions.slice(0, Math.max(0, versions.indexOf(id))).toReversed();
  return [id, ...before.filter((each) => requestOf(each) === requestOf(id))];
}

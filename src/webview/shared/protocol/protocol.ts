/**
 * The messages between the chat panel and the extension; `transcriptProtocol.ts` has those of transcripts. Shared types, no code
 * that runs. Each message from a webview is checked at the host by a strict schema with bounded sizes; a message to a webview is
 * trusted.
 */

import type { FitChoice, WindowView } from '../fit.ts';
import type { AnswerDataView, FromAnswerData } from './answerDataProtocol.ts';
import type { ColumnHead, FromComparison, ToComparison } from './comparisonProtocol.ts';
import type { CompletionTrigger, CompletionView } from './completionProtocol.ts';
import type { ConfidenceView, ForkToken } from './confidenceProtocol.ts';
import type { DrawerView, FieldView } from './drawerProtocol.ts';
import type { EditedView, FromEdited, OfQuestion } from './editedProtocol.ts';
import type { AnswerView, ChipView, MessageView, OpenFileView } from './messageProtocol.ts';

/** A file of the workspace as an answer names it, with lines from 1. The path is relative, with `/`. */
export interface FileReference {
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly endLine?: number | undefined;
}

/** Strings a page shows, translated by the host. */
export type Strings = Readonly<Record<string, string>>;

/** An image in a form that models take, in base64. */
export interface ScaledImage {
  readonly mime: string;
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

/** An answer in a column beside others. */
export interface ColumnView extends AnswerView {
  readonly head: ColumnHead;
}

/** An answer without its texts, which grow by `append` alone: they are too long to be sent again with each fact. */
export type AnswerFacts<M> = Omit<Extract<M, { readonly role: 'assistant' }>, 'text' | 'reasoning'>;

/**
 * One change of the list of messages. `put` at the end of the list adds a message; `describe` says all of an answer but its
 * texts; `cut` takes away the message at the index and all after it.
 */
export type Change<M> =
  | { readonly kind: 'describe'; readonly index: number; readonly facts: AnswerFacts<M> }
  | { readonly kind: 'append'; readonly index: number; readonly field: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'put'; readonly index: number; readonly message: M }
  | { readonly kind: 'cut'; readonly index: number };

/** A change with its number. A panel that misses a number asks for the whole conversation again. */
export interface Patch<M> {
  readonly conversation: string;
  readonly seq: number;
  /** The number of the first change that is joined in the patch, where there are several. */
  readonly from?: number;
  readonly change: Change<M>;
}

export interface QueuedView {
  readonly id: string;
  readonly text: string;
}

/** A question of the conversation is asked again. `fit`: what the user chose where not all fits the model's context window. */
export type AskAgain =
  /** Answers the last question again. */
  (
    | { readonly type: 'retry' }
    /** Answers the question of an answer again. */
    | { readonly type: 'regenerate'; readonly message: string }
    | { readonly type: 'edit'; readonly message: string; readonly text: string }
  ) & { readonly fit?: Exclude<FitChoice, 'summarise'> | undefined };

/** The state that the panel shows besides the messages. */
export interface PanelState {
  readonly connected: boolean;
  /** Whether only the key is missing for a connection. */
  readonly keyMissing?: boolean;
  /** The model's name; empty when none is chosen. */
  readonly model: string;
  /** What the conversation has of its own besides its model, in words; empty where all is as in the settings. */
  readonly parameters: string;
  readonly drawer?: DrawerView | undefined;
  /** Tokens of the conversation so far, in words; empty when not known. */
  readonly tokens: string;
  readonly chips: readonly ChipView[];
  /** Absent where no file is open, or it is attached already. */
  readonly openFile?: OpenFileView | undefined;
  /** Questions that are being edited, where something may have been attached or removed. */
  readonly edited?: readonly EditedView[];
  /** Whether an answer is being written, shown or not. */
  readonly isWriting?: boolean;
  /** Files that go along with every question of the conversation. */
  readonly instructions: readonly ChipView[];
  /** Questions that are asked when the answer has ended. */
  readonly queue: readonly QueuedView[];
  /** Whether the workspace can be searched for a question, or is being searched; absent where it cannot. */
  readonly search?: 'ready' | 'busy' | undefined;
  /** Absent where nobody says how much the model reads. */
  readonly window?: WindowView | undefined;
  /** Things to try, for an empty conversation. */
  readonly suggestions: readonly string[];
}

export type ToChatPanel =
  | {
      readonly type: 'show';
      readonly strings: Strings;
      readonly conversation: string;
      /** The number of the last patch these messages contain. */
      readonly seq: number;
      readonly messages: readonly MessageView[];
      readonly state: PanelState;
      /** The fields of the drawer, in their order. */
      readonly fields: readonly FieldView[];
    }
  | { readonly type: 'patches'; readonly patches: readonly Patch<MessageView>[] }
  | { readonly type: 'state'; readonly state: PanelState }
  | ToComparison<ColumnView, Patch<ColumnView>>
  /** Files that the workspace has, of those that were asked for. */
  | { readonly type: 'files'; readonly found: readonly string[] }
  /** What was to be asked again does not fit the model's context window; `text` has its words. */
  | { readonly type: 'doesNotFit'; readonly window: WindowView; readonly text: string; readonly again: AskAgain }
  /** A question that was taken back, to go on writing it. */
  | { readonly type: 'takenBack'; readonly text: string }
  /** The choices for what was typed after a trigger: the answer to each `complete`. */
  | {
      readonly type: 'completions';
      readonly trigger: CompletionTrigger;
      readonly text: string;
      readonly items: readonly CompletionView[];
    }
  /** An image that is too large for a model, or in a form that it does not take. The answer is `imageScaled`. */
  | { readonly type: 'scaleImage'; readonly id: string; readonly mime: string; readonly data: string }
  /** Scrolls to a message, where these words are marked. */
  | { readonly type: 'reveal'; readonly message: string; readonly words: readonly string[] }
  /** Opens the bar that finds a text in the conversation. */
  | { readonly type: 'find' }
  /** How sure the model was of an answer, or why that cannot be shown. */
  | { readonly type: 'confidence'; readonly message: string; readonly view: ConfidenceView | string }
  /** The answer to `showData`. */
  | { readonly type: 'data'; readonly message: string; readonly view: AnswerDataView }
  /** Opens the drawer with what the conversation is asked with. */
  | { readonly type: 'drawer' }
  /** A field does not take what was written into it. */
  | { readonly type: 'fieldProblem'; readonly name: string; readonly problem: string }
  /** Puts the caret into the message box. */
  | { readonly type: 'focus' };

export type FromChatPanel =
  /** The page is there (or missed a patch) and wants a `show`. */
  | { readonly type: 'ready' }
  /** Everything up to this patch is on the page: more may come. */
  | { readonly type: 'drawn'; readonly seq: number }
  /** The page has got the focus: commands are for what it shows. */
  | { readonly type: 'focused' }
  /** `fit`: what the user chose where not all fits the model's context window. */
  | { readonly type: 'send'; readonly text: string; readonly fit?: FitChoice | undefined }
  /** Summarises older turns of the conversation, to be sent in their place. */
  | { readonly type: 'summarise' }
  /** Shows the summary that is sent in the place of older turns. */
  | { readonly type: 'showSummary' }
  /** Takes back a question that is not asked yet. */
  | { readonly type: 'takeBack'; readonly question: string }
  | { readonly type: 'stop' }
  | FromComparison
  | AskAgain
  /** Goes on with an answer that was cut. */
  | { readonly type: 'continue' | 'replay' | 'showExchange'; readonly message: string }
  | ForkToken
  /** Begins a conversation with what led to a question, or with all up to an answer. */
  | { readonly type: 'fork'; readonly message: string }
  | FromAnswerData
  /** The answer is `confidence`. */
  | { readonly type: 'showConfidence'; readonly message: string }
  /** Shows what differs between this version and another one. */
  | { readonly type: 'compareVersions'; readonly message: string; readonly other?: string | undefined }
  /** Shows this version. */
  | { readonly type: 'choose'; readonly message: string }
  | { readonly type: 'delete'; readonly message: string }
  | { readonly type: 'connect' }
  | { readonly type: 'setKey' }
  | { readonly type: 'pickModel' }
  /** Sets a field of the request for the conversation; empty, it is as in the settings. The answer to what it does not take is `fieldProblem`. */
  | { readonly type: 'setField'; readonly name: string; readonly text: string }
  /** Whether an instruction file goes along with the conversation. */
  | { readonly type: 'sendFile'; readonly id: string; readonly isSent: boolean }
  | { readonly type: 'openSystemPrompt' }
  | { readonly type: 'pickPreset' }
  /** Picks the schema that answers are to fit. */
  | { readonly type: 'pickSchema' | 'biasWords' }
  /** `openExtraBody`: opens the setting that adds fields to each request. */
  | { readonly type: 'openRequest' | 'openExtraBody' }
  /** Copies the request that the message box would send. */
  | { readonly type: 'copyRequest'; readonly text: string }
  /** Makes the conversation's model the one that new conversations start with. */
  | { readonly type: 'keepModel' }
  | { readonly type: 'resetConfiguration' }
  /** The action of a message's error. The host knows which command is behind it. */
  | { readonly type: 'helpWith'; readonly message: string }
  | { readonly type: 'suggestion'; readonly index: number }
  | FromEdited
  /** Whether the open file goes along. */
  | { readonly type: 'sendOpenFile'; readonly isSent: boolean }
  | ({ readonly type: 'detach'; readonly chip: string } & OfQuestion)
  /** Attach code of the workspace that fits a question that is not sent yet. */
  | { readonly type: 'search'; readonly text: string }
  /** What can be chosen for what was typed after a trigger? The answer is `completions`. */
  | ({ readonly type: 'complete'; readonly trigger: CompletionTrigger; readonly text: string } & OfQuestion)
  /** Chosen, and written in its place what stays of it: the host attaches something. */
  | ({
      readonly type: 'chooseCompletion';
      readonly trigger: CompletionTrigger;
      readonly id: string;
      readonly text: string;
    } & OfQuestion)
  /** Opens what is attached to a question, before it goes. */
  | ({ readonly type: 'readChip'; readonly chip: string } & OfQuestion)
  /** Files and folders that were dropped, by their addresses. */
  | ({ readonly type: 'attachUris'; readonly uris: readonly string[] } & OfQuestion)
  /** A long text that was pasted, or a file from elsewhere that was dropped: then with its name. */
  | ({
      readonly type: 'pasteText';
      readonly name: string;
      readonly language: string;
      readonly text: string;
    } & OfQuestion)
  /** An image, as it was and as it is sent. Without the second it could not be drawn; without data of the first it is too large. */
  | ({
      readonly type: 'pasteImage';
      readonly name: string;
      readonly original: { readonly mime: string; readonly data: string };
      readonly image?: ScaledImage | undefined;
    } & OfQuestion)
  /** The answer to `scaleImage`; without an image it could not be drawn. */
  | { readonly type: 'imageScaled'; readonly id: string; readonly image?: ScaledImage | undefined }
  | { readonly type: 'copy'; readonly text: string }
  /** The whole text of a message is to be copied; the page may have only a part of it. */
  | { readonly type: 'copyMessage'; readonly message: string }
  /** `message`: the answer that the code is of, here and below. */
  | { readonly type: 'insert'; readonly text: string; readonly message?: string | undefined }
  /** Shows code as a change to a file, to be decided on. `path` is the file's that the answer names. */
  | {
      readonly type: 'apply';
      readonly text: string;
      readonly path?: string | undefined;
      readonly message?: string | undefined;
    }
  /** Shows all changes of an answer to files, to be decided on. */
  | { readonly type: 'applyAnswer'; readonly message: string }
  /** `language` is what the model wrote behind the fence. */
  | {
      readonly type: 'newFile';
      readonly text: string;
      readonly language: string;
      readonly message?: string | undefined;
    }
  /** Puts code into a terminal, where it does not run. */
  | { readonly type: 'runInTerminal'; readonly text: string; readonly language: string }
  /** Shows a Mermaid diagram. */
  | { readonly type: 'preview'; readonly text: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** Which of these does the workspace have? The answer is `files`. */
  | { readonly type: 'findFiles'; readonly paths: readonly string[] }
  | ({ readonly type: 'openFile' } & FileReference)
  /** Opens the place that a chip of a question names. */
  | { readonly type: 'openChip'; readonly message: string; readonly chip: string };

import { l10n } from 'vscode';
import type { Notices } from '../../../../editor/notices.ts';
import type { Attachment } from '../../../conversation/attachment.ts';
import { type Expanded, expandPrompt, type VariableName } from '../../../prompts/expand.ts';
import { findPrompt, readPromptCall } from '../../../prompts/findPrompt.ts';
import { editorValues } from './editorValues.ts';
import type { ReadPrompts, SourcedPrompt } from './promptFiles.ts';

/** A question as it is asked. */
export interface WordedQuestion {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The prompt that worded it. */
  readonly label?: string;
}

/**
 * The question that a message stands for: what the prompt says whose name it begins with, or the message itself. Undefined when the
 * prompt cannot be filled in, which is said.
 */
export async function questionOf(
  message: string,
  read: ReadPrompts,
  notices: Notices,
): Promise<WordedQuestion | undefined> {
  const call = readPromptCall(message);
  const prompt = call && findPrompt(await read(), call.name);
  if (call === undefined || prompt === undefined) return { text: message, attachments: [] };
  const label = [labelOf(prompt), call.input.split('\n', 1)[0]].filter(Boolean).join(' ');
  return fillIn(prompt, call.input, label, notices);
}

/** The prompt filled in from the editor; undefined when something is missing, which is said. */
export function fillIn(
  prompt: SourcedPrompt,
  input: string,
  label: string,
  notices: Notices,
): WordedQuestion | undefined {
  const { text, attachments, ...problems } = expandPrompt(prompt.template, editorValues(input));
  const refusal = refusalOf(`/${prompt.name}`, text, attachments, problems);
  if (refusal !== undefined) {
    void notices.warn(refusal);
    return undefined;
  }
  const { unknown } = problems;
  if (unknown.length > 0) void notices.info(unknownSentence(`/${prompt.name}`, unknown));
  return { text, attachments, label };
}

/** The name of a prompt, with the folder where the workspace brings it along. */
export function labelOf({ name, folder }: SourcedPrompt): string {
  return folder === undefined ? `/${name}` : `/${name} (${folder})`;
}

function refusalOf(
  name: string,
  text: string,
  attachments: readonly Attachment[],
  { missing, isTooLong }: Pick<Expanded, 'missing' | 'isTooLong'>,
): string | undefined {
  if (missing[0] !== undefined) return missingSentence(name, missing[0]);
  if (isTooLong) return l10n.t('“{0}” makes a question that is too long, so it was not sent.', name);
  if (text === '' && attachments.length === 0) return l10n.t('“{0}” says nothing, so it was not sent.', name);
  return undefined;
}

function missingSentence(name: string, variable: VariableName): string {
  const sentences: Record<VariableName, string> = {
    selection: l10n.t('“{0}” is about the selection, and nothing is selected.', name),
    file: l10n.t('“{0}” is about the open file, and none is open.', name),
    language: l10n.t('“{0}” is about the open file, and none is open.', name),
    problems: l10n.t('“{0}” is about the problems of the open file, and it has none.', name),
    input: l10n.t('“{0}” needs words after its name.', name),
  };
  return sentences[variable];
}

const mostNamed = 5;

function unknownSentence(name: string, unknown: readonly string[]): string {
  const named = unknown.slice(0, mostNamed).map((each) => `{{${each}}}`);
  return l10n.t('“{0}” has {1}, which is no variable of Parley: it was sent as it stands.', name, named.join(', '));
}

import { env } from 'vscode';
import { plain } from '../../../editor/text/plainText.ts';
import { meaningOf } from '../../../service/chat/completion.ts';
import type { AnswerDataView } from '../../../webview/shared/protocol/answerDataProtocol.ts';
import type { Answer, Message } from '../../conversation/conversation.ts';
import { type AskedFormat, askedFormat } from '../../structured/askedFormat.ts';
import { type Checked, checkValue } from '../../structured/check/checkValue.ts';
import { fixQuestion, jsonQuestion } from '../../structured/fixQuestion.ts';
import { type AnswerJson, readAnswerJson } from '../../structured/readAnswerJson.ts';
import { typeScriptText } from '../../structured/types/typeScriptText.ts';
import { typesOfSchema } from '../../structured/types/typesOfSchema.ts';
import { typesOfValue } from '../../structured/types/typesOfValue.ts';
import { zodText } from '../../structured/types/zodText.ts';
import { pathText } from '../../structured/violation.ts';
import { checkSummary, jsonProblemText, uncheckedText, violationText } from './violationText.ts';

/** An answer as data: how it was asked for, how it reads, and how that fits. */
interface AnswerData {
  readonly format: AskedFormat;
  readonly read: AnswerJson;
  readonly checked: Checked | undefined;
  /** Whether it ends because it was stopped, or reached the token limit. */
  readonly isCut: boolean;
}

/** An answer does not change any more once it has ended: it is read and checked once for all that is shown or done with it. */
const known = new WeakMap<Answer, AnswerData>();

/** Whether an answer can be shown as data: it was asked for as JSON, and has ended. */
export function isData(message: Message): message is Answer {
  if (message.role !== 'assistant' || (message.state !== 'complete' && message.state !== 'stopped')) return false;
  const isOther = message.declined === true || (message.calls?.length ?? 0) > 0 || !/\S/.test(message.text);
  return !isOther && askedFormat(message) !== undefined;
}

function dataOf(message: Message | undefined): AnswerData | undefined {
  if (message === undefined || !isData(message)) return undefined;
  const before = known.get(message);
  if (before !== undefined) return before;
  const format = askedFormat(message);
  if (format === undefined) return undefined;
  const read = readAnswerJson(message.text);
  const checked = 'value' in read && format.schema !== undefined ? checkValue(format.schema, read.value) : undefined;
  const isCut = message.state === 'stopped' || meaningOf(message.finishReason) === 'limit';
  const data = { format, read, checked, isCut };
  known.set(message, data);
  return data;
}

/** What the page shows of an answer as data; undefined for any other message. */
export function answerDataView(message: Message | undefined): AnswerDataView | undefined {
  const data = dataOf(message);
  if (data === undefined) return undefined;
  const { read, checked } = data;
  if ('problem' in read) {
    const sentence = jsonProblemText(read, data.isCut);
    return { notes: [sentence], isBroken: isFaulty(data), violations: [], canFix: isFaulty(data) };
  }
  const violations = (checked?.violations ?? []).map(({ path, fault }) => ({
    path,
    place: plain(pathText(path), { length: 200 }),
    sentence: plain(violationText(fault), { length: 500 }),
  }));
  return {
    json: read.json,
    notes: checked === undefined ? [] : uncheckedText(checked).map((text) => plain(text, { length: 500 })),
    isBroken: false,
    ...(checked && { summary: checkSummary(checked) }),
    violations,
    canFix: violations.length > 0,
  };
}

/** Whether it is the answer's own fault that it cannot be read: not that it was cut, nor that it is more than is shown. */
function isFaulty({ read, isCut }: AnswerData): boolean {
  if (!('problem' in read)) return false;
  return read.problem === 'broken' || read.problem === 'empty' || (read.problem === 'unfinished' && !isCut);
}

/** The question that asks for an answer once more, by what is wrong with it. */
export function fixOf(message: Message | undefined): string | undefined {
  const data = dataOf(message);
  if (data === undefined) return undefined;
  const { read, checked } = data;
  if ('problem' in read) return isFaulty(data) ? jsonQuestion(read) : undefined;
  if (checked === undefined || checked.violations.length === 0) return undefined;
  return fixQuestion(checked.violations, checked.hasMore);
}

/** Copies the JSON of an answer, or its type: that of its schema, else what the answer itself tells. */
export async function copyData(message: Message | undefined, as: 'json' | 'typescript' | 'zod'): Promise<void> {
  const data = dataOf(message);
  if (data === undefined) return;
  const { format, read } = data;
  if (as === 'json') return 'json' in read ? env.clipboard.writeText(read.json) : undefined;
  const name = format.name ?? 'Answer';
  if (format.schema === undefined && 'problem' in read) return;
  const types =
    format.schema !== undefined
      ? typesOfSchema(format.schema, name)
      : typesOfValue('value' in read ? read.value : null, name);
  await env.clipboard.writeText(as === 'zod' ? zodText(types) : typeScriptText(types));
}

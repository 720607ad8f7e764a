import { composeAnswer, editArguments, lastUserText } from './answers.ts';
import { isObject, type Json } from './fields.ts';
import type { LikelyTokens, Settings } from './options.ts';
import { hashText } from './replies.ts';
import { countTokens, makeLogprob, makeUsage, tokenize } from './tokens.ts';

export interface FunctionCall {
  name: string;
  arguments: string;
}

export interface Choice {
  index: number;
  /** The answer's text in tokens; empty when there are calls. */
  tokens: string[];
  calls: FunctionCall[];
  /** The tokens are a refusal, which has a channel of its own. */
  declines?: boolean;
  finish: 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';
}

/** All that a completion says, before it is put into one object or into chunks. */
export interface Completion {
  head: { id: string; created: number; model: unknown; system_fingerprint: string };
  choices: Choice[];
  usage: ReturnType<typeof makeUsage>;
  /** The calls go out in the legacy form. */
  legacy: boolean;
  likely: LikelyTokens;
  /** How many alternatives each token's log-probability names; undefined: none asked for. */
  topLogprobs: number | undefined;
}

/** What of a service's settings goes into its answers; `release` is that of the model. */
type AnswerSettings = Partial<Pick<Settings, 'answer' | 'likely' | 'release'>>;

/** Works out the answer to a checked request. `created` is in seconds. */
export function complete(request: Json, created: number, settings: AnswerSettings = {}): Completion {
  const { release = '', likely = {} } = settings;
  const legacy = Array.isArray(request.functions) && !Array.isArray(request.tools);
  const calls = findCalls(request, legacy);
  const known = settings.answer?.(
    lastUserText((request.messages as unknown[]).filter(isObject)),
    String(request.model),
  );
  const text = calls.length ? '' : `${known ?? composeAnswer(request)}${release && ` ${release}`}`;
  const count = typeof request.n === 'number' ? request.n : 1;
  const choices = Array.from({ length: count }, (_, index): Choice => {
    if (calls.length) return { index, tokens: [], calls, finish: legacy ? 'function_call' : 'tool_calls' };
    const refusal = /\bdecline: ?(.*)$/m.exec(lastUserText((request.messages as unknown[]).filter(isObject)))?.[1];
    if (refusal !== undefined) return { index, calls, declines: true, ...cut(refusal, request) };
    return { index, calls, ...cut(text, request) };
  });
  const prompt = countTokens(JSON.stringify(request.messages)) + countTokens(JSON.stringify(request.tools ?? ''));
  const written = choices.reduce(
    (sum, { tokens, calls }) => sum + tokens.length + countTokens(JSON.stringify(calls)) - 2,
    0,
  );
  return {
    head: {
      id: `chatcmpl-${hashText(JSON.stringify(request)).toString(16).padStart(8, '0')}`,
      created,
      model: request.model,
      system_fingerprint: `fp_${hashText(`${String(request.model)} ${String(request.seed ?? '')}${release}`)
        .toString(16)
        .padStart(8, '0')}`,
    },
    choices,
    usage: makeUsage(prompt, Math.max(1, written)),
    legacy,
    likely,
    topLogprobs: request.logprobs === true ? Number(request.top_logprobs ?? 0) : undefined,
  };
}

/** `stop` ends the text before its first occurrence; `max_tokens` ends it with "length". */
function cut(text: string, request: Json): Pick<Choice, 'tokens' | 'finish'> {
  const stops = (Array.isArray(request.stop) ? request.stop : [request.stop]).filter(
    (stop): stop is string => typeof stop === 'string' && stop !== '',
  );
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  const tokens = tokenize(text.slice(0, Math.min(text.length, ...places)));
  const most = typeof request.max_tokens === 'number' ? request.max_tokens : tokens.length;
  return { tokens: tokens.slice(0, most), finish: tokens.length > most ? 'length' : 'stop' };
}

/** The tool by which a question about an edit is answered. */
const editTool = 'parley_propose_edit';

/** A line `call <name> {…}` of the last message, when it is the user's, calls that tool if it is offered. */
function findCalls(request: Json, legacy: boolean): FunctionCall[] {
  const messages = (request.messages as unknown[]).filter(isObject);
  const choice = legacy ? request.function_call : request.tool_choice;
  const names = offeredNames(request, legacy);
  if (choice === 'none' || names.length === 0 || messages.at(-1)?.role !== 'user') return [];
  const asked = [...lastUserText(messages).matchAll(/^call ([\w.-]+)[ \t]*(\{.*\})?[ \t]*$/gm)].map(
    ([, name = '', json = '{}']) => ({ name, arguments: json }),
  );
  const calls = asked.filter(({ name }) => names.includes(name));
  const edit = names.includes(editTool) ? editArguments(lastUserText(messages)) : undefined;
  if (calls.length === 0 && edit !== undefined) calls.push({ name: editTool, arguments: edit });
  const forced = choice === 'required' ? names[0] : chosenName(choice);
  if (calls.length === 0 && forced !== undefined) calls.push({ name: forced, arguments: '{}' });
  return legacy || request.parallel_tool_calls === false ? calls.slice(0, 1) : calls;
}

function offeredNames(request: Json, legacy: boolean): string[] {
  const list = (legacy ? request.functions : request.tools) as unknown[] | undefined;
  return (list ?? []).filter(isObject).map((item) => String((isObject(item.function) ? item.function : item).name));
}

function chosenName(choice: unknown): string | undefined {
  if (!isObject(choice)) return undefined;
  const named = isObject(choice.function) ? choice.function : choice;
  return typeof named.name === 'string' ? named.name : undefined;
}

export function callId(completion: Completion, index: number): string {
  return `call_${completion.head.id.slice(-8)}_${index}`;
}

export function logprobsOf(completion: Completion, tokens: string[]) {
  const top = completion.topLogprobs;
  return top === undefined
    ? null
    : { content: tokens.map((token) => makeLogprob(token, top, completion.likely[token])) };
}

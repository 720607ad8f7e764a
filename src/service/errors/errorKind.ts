import type { ErrorKind } from '../../base/errors.ts';
import { waitInWords } from './rateLimits.ts';

/** The words of an error that tell its kind. */
export interface ErrorWords {
  message: string;
  type: string;
  code: string;
}

const quotaCodes = /insufficient_quota|insufficient_user_quota|billing|quota_exceeded|credit|payment_required|balance/i;
const quotaWords =
  /billing|credit|payment|quota exceeded|exceeded your (current|monthly) quota|out of quota|insufficient (quota|balance|funds)|spend(ing)? limit|account is not active/i;
const rateWords =
  /rate[ _-]?limit|too many requests|throttl|\b(tokens?|requests|audio seconds|images)[ _]per[ _](second|min|minute|hour|day)|\b[TR]P[MDS]\b|RESOURCE_EXHAUSTED|call rate|concurren(t|cy) (requests|limit)/i;
/** Words for a request larger than the limit of a minute: waiting does not help. */
const largeWords = /request too large|request_too_large|payload too large|entity too large|body (is )?too large/i;

/** Phrases of OpenAI, Azure, Groq, Anthropic, Gemini, Mistral, vLLM, TGI, llama.cpp, Ollama, LM Studio, SGLang and others. */
const contextWords = new RegExp(
  [
    'context_length|context_window|exceed_context_size|max_prompt_tokens|model_max_prompt',
    '(maximum|max|model.?s|available|total) (allowed )?context',
    'context (length|window|size|limit|overflow)',
    'maximum (prompt|input|sequence|model) length|max_model_len|max_position_embeddings',
    '(prompt|input|inputs|messages?|conversation|query|context)\\b(?:(?!file|audio|image|upload|body)[^.]){0,60}\\btoo (long|large|big)\\b',
    'KV (cache|size)|physical batch size|\\bn_ctx\\b|num_ctx',
    '(input|prompt|request)[^.]{0,60}\\btokens?\\b[^.]{0,60}\\b(exceed|greater than|longer than|more than|larger than)',
    '(input|prompt) (length|size)[^.]{0,60}(exceed|longer than|larger than|greater than)',
    'too many (input |prompt )?tokens|tokens? (count )?(exceeds|> \\d)|exceeds? the (max(imum)? )?(number of|allowed|model) ?(input )?tokens?',
    'reduce (the length|your prompt|the prompt|your messages)|shorten (the|your) (prompt|input|messages)',
    '上下文.{0,12}(长度|窗口|超)|(输入|提示词?|消息).{0,12}(过长|太长)|(超过|超出|超過).{0,16}(最大长度|トークン|tokens?)|コンテキスト.{0,16}超',
    'inputs\\W+tokens \\+ \\W*max_new_tokens|keep the first \\d+ tokens',
  ].join('|'),
  'i',
);
/** Words for a request that the server's own code could not take: the status says that the server failed, and it always will. */
const requestFaults =
  /unsupported value: [+-]?(?:NaN|Inf)|unexpected keyword argument|un(?:known|recogni[sz]ed|supported|expected) (?:request )?(?:parameter|argument|field|option)|extra (?:inputs?|fields?)|raise_exception|jinja|chat[ _]template|roles? must alternate|\broles?\b.{0,40}(?:not|n't) supported|only .{0,60}roles? (?:are|is) supported/i;
const modelCodes = /model_?not_?(found|available|loaded)|model_decommissioned|deployment_?not_?found|invalid_model/i;
const modelWords =
  /\bmodels?\b.{0,100}?(not found|does not exist|doesn't exist|not exist|decommissioned|not (currently )?(loaded|available|supported|deployed)|not a valid)|(unknown|no such|invalid|unsupported) model|not a valid model|no models? (is |are )?loaded|unable to access model|deployment for this resource does not exist|no endpoints found/i;
const filterWords =
  /content[_ ]filter|content[_ ]management[_ ]policy|content[_ ]policy|safety (system|settings|filter)|ResponsibleAI|prohibited[_ ]content|data_inspection_failed|flagged (as|by|for)|input was flagged|requires moderation|moderation_blocked/i;
const authWords =
  /invalid[_ ](api[_ ]?key|token|credentials)|(incorrect|missing|no|wrong) api[_ ]key|api[_ ]key (is |was )?(not valid|invalid|missing|expired|required)|unauthori[sz]ed|unauthenticated|authentication|not authenticated/i;
const permissionWords = /permission|forbidden|access denied|not allowed to|unsupported_country/i;
const overloadWords =
  /overload|over capacity|capacity_exceeded|at capacity|server (is )?busy|(service|temporarily|currently)[_ ]unavailable|^unavailable\b|loading model|try again later/i;
const timeoutWords = /\btimed? ?-?out\b|timeout_error|DEADLINE_EXCEEDED/i;
const badRequestWords =
  /invalid[_ ]request|invalid[_ ](argument|parameter|value|type)|bad[_ ]?request|unprocessable|validation|tool_use_failed|json_validate_failed|extra_forbidden|not (permitted|supported)/i;

/** Statuses that tell the kind by themselves. */
const byStatus: Record<number, ErrorKind> = {
  402: 'quota',
  405: 'not-found',
  407: 'proxy',
  408: 'timeout',
  414: 'too-large',
  425: 'overloaded',
  431: 'too-large',
  498: 'overloaded',
  499: 'reset',
  504: 'timeout',
  511: 'login-page',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

/** Characters of a message that are looked at. */
const readLength = 8_192;
const nameLength = 200;

/** The kind of an error from its status and its words. Status 0: there is none, the error came inside an answer. */
export function kindOf(status: number, said: ErrorWords): ErrorKind {
  const words = {
    message: said.message.slice(0, readLength),
    type: said.type.slice(0, nameLength),
    code: said.code.slice(0, nameLength),
  };
  const sure = byStatus[status];
  if (sure !== undefined) return sure;
  if (status === 429) return limitKind(words);
  const all = `${words.type} ${words.code} ${words.message}`;
  const isRate = rateWords.test(all);
  if (status === 401) return 'auth';
  if (filterWords.test(all)) return 'content-filter';
  if (contextWords.test(all) && !isRate) return 'context-length';
  if (status === 413) return 'too-large';
  if (status === 403) return refusalKind(words, isRate);
  if (status === 503) return 'overloaded';
  if (isModelMissing(words, all)) return 'model-not-found';
  if (status === 404 || status === 410) return 'not-found';
  if (isRate || quotaCodes.test(`${words.type} ${words.code}`)) return limitKind(words);
  if (quotaWords.test(words.message)) return 'quota';
  if (status < 500 && authWords.test(all)) return 'auth';
  if (status === 0) return kindInBody(all);
  if (status >= 500 && requestFaults.test(all)) return 'bad-request';
  if (status >= 500) return overloadWords.test(all) ? 'overloaded' : 'server';
  return largeWords.test(all) ? 'too-large' : status >= 400 ? 'bad-request' : 'malformed';
}

/** Tells apart too many requests, a request too big for the limit of a minute, and an account that has nothing left. */
function limitKind({ type, code, message }: ErrorWords): ErrorKind {
  if (largeWords.test(message)) return 'too-large';
  if (quotaCodes.test(`${type} ${code}`) && !/^rate_?limit/i.test(code)) return 'quota';
  // "Rate limit reached …, see your billing page", and Gemini's "quota …, please retry in 21 s", are over by themselves.
  const passes = rateWords.test(message) || waitInWords(message) !== undefined;
  return quotaWords.test(message) && !passes ? 'quota' : 'rate-limit';
}

function refusalKind(words: ErrorWords, isRate: boolean): ErrorKind {
  const all = `${words.type} ${words.code} ${words.message}`;
  if (isRate || quotaCodes.test(`${words.type} ${words.code}`) || quotaWords.test(words.message))
    return limitKind(words);
  return /invalid[_ ]api[_ ]?key|incorrect api[_ ]key|api[_ ]key (is )?(not valid|invalid)/i.test(all)
    ? 'auth'
    : 'permission';
}

/** Whether the model is missing: a sentence may name a model for another reason, as "model x: field y is not supported". */
function isModelMissing({ type, code, message }: ErrorWords, all: string): boolean {
  return (
    modelCodes.test(`${type} ${code}`) || (modelWords.test(message) && !/\b(parameter|field|argument)\b/i.test(all))
  );
}

function kindInBody(all: string): ErrorKind {
  if (overloadWords.test(all)) return 'overloaded';
  if (permissionWords.test(all)) return 'permission';
  if (/\bnot_found/i.test(all)) return 'not-found';
  if (timeoutWords.test(all)) return 'timeout';
  return badRequestWords.test(all) ? 'bad-request' : 'server';
}

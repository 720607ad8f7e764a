import { hideKey, placeholder } from '../apiKey.ts';

/** Shapes of keys and tokens that a service may echo, and what stays of them. */
const secretShapes: readonly (readonly [shape: RegExp, left: string])[] = [
  // Authorization: Bearer …, Basic …
  [/\b(bearer|basic|token)\s+(?=[A-Za-z0-9+/._~-]*[\d=._~-])(?!\[)[^\s"',;<>]{6,}/gi, `$1 ${placeholder}`],
  [
    /\b(authorization["'\\]*\s*[:=]\s*["'\\]*(?:(?:bearer|basic|token|digest)\s+)?)(?!\[|bearer|basic|token|digest)[^\s"',;<>]{3,}/gi,
    `$1${placeholder}`,
  ],
  // keys by the prefixes of their makers, also where the service has starred out the middle
  [
    /\b(?:sk|gsk|pk|rk|csk|hf|xai|fw|pplx|nvapi|r8|ghp|gho|glpat|xox[abprs]|tgp_v1)[-_][A-Za-z0-9_\-*.]{6,}/gi,
    placeholder,
  ],
  [/\b(?:key|api[-_]?key|token)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_\-*.]{6,}/gi, placeholder],
  [/\bAIza[\w-]{20,}/g, placeholder],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, placeholder],
  // JSON web tokens
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, placeholder],
  // headers and members: x-api-key: …, "api_key": "…", Ocp-Apim-Subscription-Key: …, password=…
  [
    /\b((?:[a-z]+[-_]){0,4}(?:api|access|secret|subscription|client|session|security|auth)[-_ ]?(?:key|token|secret)s?["'\\]*(?: provided| is)?\s*[:=]\s*["'\\]*)(?!\[)(?=[^\s"',;&<>]*[\d*])[^\s"',;&<>]{6,}/gi,
    `$1${placeholder}`,
  ],
  [/\b(pass(?:word|wd)?["'\\]*\s*[:=]\s*["'\\]*)(?!\[)[^\s"',;&<>]{3,}/gi, `$1${placeholder}`],
  // queries: ?key=…&sig=…
  [
    /([?&](?:[\w-]{0,40}(?:key|token|secret|signature|credential|password)|sig|code|auth)=)(?!\[)[^&#\s"'<>]+/gi,
    `$1${placeholder}`,
  ],
  // addresses with a user and a password
  [/(\/\/)[^\s/:@]*:[^\s/@]+(?=@)/g, `$1${placeholder}`],
  // texts that were starred out, and those too long and mixed to be words
  [/(?<![\w.*-])[\w.-]*\*{3,}[\w*.-]*/g, placeholder],
  [/(?<![\w/+])(?=[\w/+]*\d)(?=[\w/+]*[a-z])(?=[\w/+]*[A-Z])[A-Za-z0-9/+]{40}(?![\w/+=])/g, placeholder],
  [/(?<![\w/+-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{32,}={0,2}/g, placeholder],
];

/** Characters of a text that are searched for one line of it. */
const readLength = 8_192;
const lineLength = 300;

/** The text of a service, fit to be shown: one line, at most 300 characters, without anything that looks like a key. */
export function scrub(text: string, key = ''): string {
  const line = text
    .slice(0, readLength)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  let clean = hideKey(line, key);
  for (const [shape, left] of secretShapes) clean = clean.replace(shape, left);
  return clean.length > lineLength ? `${clean.slice(0, lineLength - 1)}…` : clean;
}

import type { LineRange } from '../base/lines.ts';

/** Kinds of secrets in a text. The secret itself is never passed on. */
export type SecretKind =
  | 'private-key'
  | 'service-key'
  | 'web-token'
  | 'connection-string'
  | 'login'
  /** A long random value assigned to a secret's name. */
  | 'assigned';

export interface Secret {
  kind: SecretKind;
  /** The service, for `service-key`: a proper name. */
  service?: string;
  /** Line number, from 1. */
  line: number;
}

/** Key patterns that services publish for secret scanners. */
const serviceKeys: readonly (readonly [service: string, shape: RegExp])[] = [
  ['AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['AWS', /aws_?(?:secret|session)_?[a-z_]{0,20}["']?\s{0,3}[:=]\s{0,3}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi],
  ['Azure', /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{43,86}=/g],
  ['Azure', /[?&]sig=[A-Za-z0-9%+/]{40,}%3D/gi],
  ['Azure', /\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/g],
  ['Stripe', /\b[sr]k_live_[A-Za-z0-9]{20,}\b/g],
  ['Stripe', /\bwhsec_[A-Za-z0-9+/]{32,}/g],
  ['Slack', /\bxox[abeprs]-[A-Za-z0-9-]{20,}/g],
  ['Slack', /hooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,}\/[AB][A-Z0-9]{6,}\/[A-Za-z0-9/]{20,}/g],
  ['Discord', /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,}/g],
  ['GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,}\b/g],
  ['GitHub', /\bgithub_pat_[A-Za-z0-9_]{50,}\b/g],
  ['GitLab', /\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,}/g],
  ['OpenAI', /\bsk-(?:proj-|or-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/g],
  ['Anthropic', /\bsk-ant-[A-Za-z0-9_-]{32,}/g],
  ['Groq', /\bgsk_[A-Za-z0-9]{40,}\b/g],
  ['Hugging Face', /\bhf_[A-Za-z0-9]{30,}\b/g],
  ['Google', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['Google', /\bya29\.[0-9A-Za-z_-]{40,}/g],
  ['Google', /\bGOCSPX-[A-Za-z0-9_-]{28}\b/g],
  ['npm', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['PyPI', /\bpypi-AgE[A-Za-z0-9_-]{50,}/g],
  ['SendGrid', /\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{40,}/g],
  ['Twilio', /\bSK[0-9a-f]{32}\b/g],
  ['Telegram', /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g],
  ['DigitalOcean', /\bdo[opr]_v1_[a-f0-9]{64}\b/g],
  ['Shopify', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ['Atlassian', /\bATATT3[A-Za-z0-9_=-]{60,}/g],
  ['Vault', /\bhv[sb]\.[A-Za-z0-9_-]{24,}/g],
  ['Databricks', /\bdapi[a-f0-9]{32}\b/g],
];

/** A private key. Its first line alone also occurs in code that reads keys, so some of the key has to follow. */
const privateKey = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^-]{0,300}?[A-Za-z0-9+/]{24}/g;
/**
 * A web token from its middle dot on; the part before it is checked afterwards. Searching from the token's beginning,
 * which may come again and again without a dot, would cost the square of the text.
 */
const webToken = /\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/g;
const webTokenStart = /\beyJ[A-Za-z0-9_-]{10,}$/;
const login = /\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,})/g;
const connectionStrings: readonly RegExp[] = [
  /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|ftps?|smtps?)(?:\+[a-z0-9]+)?:\/\/[^\s:@/"'`]{0,100}:([^\s:@/"'`]{4,200})@/gi,
  /\b(?:Server|Data Source|Host|User ?Id|Uid)=[^"'`\n]{0,300};\s?(?:Password|Pwd)=([^;"'`\s]{6,200})/gi,
];

/** A value after a name that marks a secret: in quotes, or bare to the end of its line. */
const assigned =
  /(?:secret|token|passw(?:or)?d|passphrase|credential|(?:api|access|private|auth|encryption|signing|master|account|storage|shared)[_-]?key)[\w.-]{0,40}["'`]?\s{0,3}(?::=|=>|[:=])\s{0,3}(?:(["'`])([A-Za-z0-9+/_~.=-]{20,200})\1|([A-Za-z0-9+/_~=-]{20,200})\s*$)/gim;

/** The first secret in a text; undefined when there is none. */
export function findSecret(text: string): Secret | undefined {
  for (const { index, end, ...secret } of secretsIn(text)) return { ...secret, line: lineAt(text, index) };
  return undefined;
}

/** The lines of all secrets in a text, from 1; more than `most` are not looked for. */
export function secretLines(text: string, most: number): readonly LineRange[] {
  const found: LineRange[] = [];
  for (const { index, end } of secretsIn(text)) {
    if (found.length === most) break;
    found.push({ first: lineAt(text, index), last: lineAt(text, end) });
  }
  return found;
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** A secret with its place in the text, in characters. */
type PlacedSecret = Omit<Secret, 'line'> & { readonly index: number; readonly end: number };

/** The secrets in a text, one kind after the other: first those that are sure. */
function* secretsIn(text: string): Generator<PlacedSecret> {
  const placed = ({ index, 0: { length } }: RegExpExecArray) => ({ index, end: index + length });
  for (const match of all(text, privateKey)) yield { kind: 'private-key', ...placed(match) };
  for (const [service, shape] of serviceKeys) {
    for (const match of all(text, shape, ([whole]) => !isPlaceholder(whole)))
      yield { kind: 'service-key', service, ...placed(match) };
  }
  for (const match of all(text, webToken, ({ index = 0 }) => webTokenStart.test(runBefore(text, index))))
    yield { kind: 'web-token', ...placed(match) };
  for (const shape of connectionStrings) {
    for (const match of all(text, shape, ([, password = '']) => isPassword(password)))
      yield { kind: 'connection-string', ...placed(match) };
  }
  for (const match of all(text, login, ([, password = '']) => isPassword(password)))
    yield { kind: 'login', ...placed(match) };
  for (const match of all(text, assigned, ([, , quoted, bare]) => isRandom(quoted ?? bare ?? '')))
    yield { kind: 'assigned', ...placed(match) };
}

function* all(
  text: string,
  shape: RegExp,
  holds: (match: RegExpMatchArray) => boolean = () => true,
): Generator<RegExpExecArray> {
  // A copy has a place of its own, also where the generator is left in the middle.
  const own = new RegExp(shape);
  for (let match = own.exec(text); match !== null; match = own.exec(text)) if (holds(match)) yield match;
}

/** The web token's characters that end at `end`, with one character before them. */
function runBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && /[A-Za-z0-9_-]/.test(text[start - 1] as string)) start--;
  return text.slice(Math.max(0, start - 1), end);
}

/** Whether a value is a placeholder as in documentation and tests. */
function isPlaceholder(value: string): boolean {
  return /example|sample|placeholder|changeme|change[_-]me|your|dummy|fake|redacted|x{5}|0{8}|1234567890|^(?:[a-z]{2,8}[-_])*abcdef|abcdefgh|89abcdef|(.)\1{7}/i.test(
    value,
  );
}

/** Whether a value is a real password: not a variable, a placeholder, or a common default. */
function isPassword(value: string): boolean {
  if (/[${}<>%*[\]()]/.test(value) && !/%[0-9a-f]{2}/i.test(value)) return false;
  if (
    /^(?:pass(?:word|wd)?|pwd|secret|postgres|mysql|mongo|redis|root|admin|user(?:name)?|test|guest|rabbitmq)\d{0,4}$/i.test(
      value,
    )
  ) {
    return false;
  }
  return !isPlaceholder(value) && !/^(.)\1*$/.test(value);
}

/** Minimum entropy in bits per character: random hexadecimal digits have up to 4, random letters and digits up to 6. */
const leastBits = { hexadecimal: 3, other: 3.9 } as const;

/** Whether a value looks random: high entropy, and digits among letters of both cases or only hexadecimal. */
function isRandom(value: string): boolean {
  if (isPlaceholder(value)) return false;
  if (/^[0-9a-f]+$/i.test(value)) {
    return value.length >= 32 && /\d/.test(value) && /[a-f]/i.test(value) && entropy(value) >= leastBits.hexadecimal;
  }
  const digits = value.replace(/\D/g, '').length;
  if (digits < 3 || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return entropy(value) >= leastBits.other;
}

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

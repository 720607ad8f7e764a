import { isJsonObject } from '../../base/jsonText.ts';
import { hideKey, hideWholeKey } from '../../service/apiKey.ts';
import type { Exchange } from './exchangeList.ts';

/** A form in which a request is written for use elsewhere. */
export type CopyForm = 'curl' | 'fetch' | 'sdkTypeScript' | 'sdkPython';

/** The environment variable in which the key is expected: its value is never written. */
const variable = 'PARLEY_API_KEY';

/** What a request is written from. */
type Request = Pick<Exchange, 'method' | 'url' | 'accept' | 'key' | 'body'>;

/** The request as code; undefined for a request that the form has no words for. */
export function copyAs(request: Request, form: CopyForm): string | undefined {
  const safe = { ...request, url: safeUrl(request), body: safeBody(request) };
  switch (form) {
    case 'curl':
      return curl(safe);
    case 'fetch':
      return safe.body?.kind === 'form' ? undefined : fetchCall(safe);
    case 'sdkTypeScript':
      return sdkTypeScript(safe);
    case 'sdkPython':
      return sdkPython(safe);
  }
}

/** What is sent without the key, which somebody may have written into a question. */
function safeBody({ body, key }: Request): Request['body'] {
  const secret = key?.reveal() ?? '';
  if (body?.kind === 'json') return { kind: 'json', text: hideWholeKey(body.text, secret) };
  if (body === undefined) return undefined;
  return { ...body, fields: body.fields.map(([name, value]) => [name, hideWholeKey(value, secret)] as const) };
}

/** The address without a key or a password in it. */
export function safeUrl({ url, key }: Pick<Exchange, 'url' | 'key'>): string {
  const parsed = URL.parse(url);
  if (parsed === null) return '';
  parsed.username = '';
  parsed.password = '';
  for (const name of [...parsed.searchParams.keys()]) {
    if (/key|token|secret|signature|credential|password|^(?:sig|code|auth)$/i.test(name)) {
      parsed.searchParams.set(name, 'HIDDEN');
    }
  }
  return hideKey(parsed.href, key?.reveal() ?? '');
}

function curl({ method, url, accept, key, body }: Request): string {
  const parts = [`curl ${shellText(url)}`];
  if (method === 'GET' && body === undefined && accept !== 'application/json') parts.push(header(`Accept: ${accept}`));
  if (key !== undefined) parts.push(`-H "Authorization: Bearer $${variable}"`);
  if (body?.kind === 'json') {
    if (jsonOf(body.text)?.['stream'] === true) parts[0] = `curl -N ${shellText(url)}`;
    parts.push(header('Content-Type: application/json'), `-d ${shellText(prettyJson(body.text))}`);
  }
  if (body?.kind === 'form') {
    const { field, name, contentType } = body.file;
    parts.push(...body.fields.map(([member, value]) => `--form-string ${shellText(`${member}=${value}`)}`));
    parts.push(`-F ${shellText(`${field}=@"${name.replace(/["\\]/g, '\\$&')}";type=${contentType}`)}`);
  }
  return `${parts.join(' \\\n  ')}\n`;
}

const header = (text: string): string => `-H ${shellText(text)}`;

/** A text as one word of a POSIX shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fetchCall({ method, url, key, body }: Request): string {
  const headers = [
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
    ...(key === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${variable}}\`,`]),
  ];
  const members = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body?.kind === 'json' ? [`  body: JSON.stringify(${indent(prettyJson(body.text), 2)}),`] : []),
  ];
  const options = members.length === 0 ? '' : `, {\n${members.join('\n')}\n}`;
  return `const response = await fetch(${JSON.stringify(url)}${options});\n`;
}

/** The methods of OpenAI's SDKs, by the ends of addresses. */
const methods: readonly (readonly [path: string, typeScript: string])[] = [
  ['/chat/completions', 'chat.completions.create'],
  ['/embeddings', 'embeddings.create'],
  ['/audio/translations', 'audio.translations.create'],
  ['/models', 'models.list'],
];

/** What the SDK is told: where the service is, and which method is called. */
function sdkCall(url: string): { readonly baseUrl: string; readonly method: string } | undefined {
  const { pathname, origin, search } = new URL(url);
  const [path, method] = methods.find(([end]) => pathname.endsWith(end)) ?? [];
  if (path === undefined || method === undefined || search !== '') return undefined;
  return { baseUrl: origin + pathname.slice(0, -path.length), method };
}

function sdkTypeScript({ url, key, body }: Request): string | undefined {
  const call = sdkCall(url);
  if (call === undefined) return undefined;
  const apiKey = key === undefined ? "'none'" : `process.env.${variable}`;
  const client = `const client = new OpenAI({ baseURL: ${JSON.stringify(call.baseUrl)}, apiKey: ${apiKey} });`;
  const isForm = body?.kind === 'form';
  const imports = isForm
    ? "import { createReadStream } from 'node:fs';\nimport OpenAI from 'openai';"
    : "import OpenAI from 'openai';";
  const given = isForm
    ? `{\n${[
        ...body.fields.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
        `  ${JSON.stringify(body.file.field)}: createReadStream(${JSON.stringify(body.file.name)}),`,
      ].join('\n')}\n}`
    : body?.kind === 'json'
      ? prettyJson(body.text)
      : '';
  const isStream = body?.kind === 'json' && jsonOf(body.text)?.['stream'] === true;
  const rest = isStream ? '\nfor await (const chunk of answer) console.log(chunk);' : '\nconsole.log(answer);';
  return `${imports}\n\n${client}\nconst answer = await client.${call.method}(${given});${rest}\n`;
}

function sdkPython({ url, key, body }: Request): string | undefined {
  const call = sdkCall(url);
  if (call === undefined) return undefined;
  const apiKey = key === undefined ? '"none"' : `os.environ["${variable}"]`;
  const given =
    body?.kind === 'form'
      ? [
          ...body.fields.map(([name, value]) => [name, JSON.stringify(value)] as const),
          [body.file.field, `open(${JSON.stringify(body.file.name)}, "rb")`] as const,
        ]
      : body?.kind === 'json'
        ? pythonArguments(jsonOf(body.text) ?? {})
        : [];
  const list =
    given.length === 0 ? '' : `\n${given.map(([name, value]) => `    ${name}=${indent(value, 4)},\n`).join('')}`;
  const isStream = body?.kind === 'json' && jsonOf(body.text)?.['stream'] === true;
  const rest = isStream ? 'for chunk in answer:\n    print(chunk)' : 'print(answer)';
  const imports = key === undefined ? 'from openai import OpenAI' : 'import os\n\nfrom openai import OpenAI';
  const client = `client = OpenAI(base_url=${JSON.stringify(call.baseUrl)}, api_key=${apiKey})`;
  return `${imports}\n\n${client}\nanswer = client.${call.method}(${list})\n${rest}\n`;
}

/** The fields that the SDK takes by name (service-api.md 2.1, 2.9); others go into its `extra_body`. */
const namedFields = new Set(
  `messages model frequency_penalty presence_penalty function_call functions tools tool_choice parallel_tool_calls logit_bias
   logprobs top_logprobs max_tokens max_completion_tokens n response_format seed stop stream stream_options temperature top_p
   user input encoding_format dimensions`.split(/\s+/),
);

function pythonArguments(body: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  const named = Object.entries(body).filter(([name]) => namedFields.has(name));
  const others = Object.entries(body).filter(([name]) => !namedFields.has(name));
  const all = named.map(([name, value]) => [name, pythonLiteral(value)] as const);
  return others.length === 0 ? all : [...all, ['extra_body', pythonLiteral(Object.fromEntries(others))]];
}

/** A JSON value in Python: a text is written as in JSON, whose escapes Python has, too. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `    ${indent(item, 4)},\n`).join('')}${close}`;
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON over several lines; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** All lines but the first, further in. Line breaks within texts are escaped, so that none of them changes. */
function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

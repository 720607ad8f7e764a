import { isJson, isPlainObject, readNearlyJson } from '../../../base/jsonText.ts';
import { meantTool } from '../meantTool.ts';

/** A tool that is offered, with the schema of its arguments. */
export interface CallableTool {
  readonly name: string;
  readonly parameters?: unknown;
}

/** A call that a model wrote into its text. */
export interface WrittenCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** The calls at the start of a text, and what stands behind them. */
export interface WrittenCalls {
  readonly calls: readonly WrittenCall[];
  readonly rest: string;
  /** Whether the rest begins on the line on which the calls end. */
  readonly isSameLine: boolean;
}

type Tools = ReadonlyMap<string, CallableTool>;

/** Marks that stand before or behind calls, and say nothing of their own; of Qwen, MiniMax, Kimi, DeepSeek, Granite, Llama, Phi. */
const borders =
  /(?:\s|<\/?(?:\w{1,20}:)?(?:tool_calls?|function_calls?)>|<[|｜]tool[▁_]calls(?:[▁_]section)?[▁_](?:begin|end)[|｜]>|<[|｜]tool_call[|｜]?>|<\|python_tag\|>|\[\/?TOOL_CALLS\]|functools(?=\[)|<\|eom_id\|>|(?<=[}\]]\s{0,20});(?=\s{0,20}[{[]))*/y;
const named = /<function=([\w.:-]{1,200})>/y;
const invoked = /<invoke name="([^"]{1,200})">/y;
const begun =
  /<[|｜]tool[▁_]call[▁_]begin[|｜]>(?:function<[|｜]tool[▁_]sep[|｜]>)?\s*([^<{\s]{1,200})\s*(?:<[|｜]tool[▁_](?:sep|call[▁_]argument[▁_]begin)[|｜]>)?/y;
const bareName = /([A-Za-z_][\w.-]{0,199})\s{0,100}(?:\[(?:ARGS|CALL_ID)\][\w-]{0,40}){0,4}(?=\s{0,100}[{<])/y;
/** A tool without arguments, and nothing else between the marks. */
const nameAlone =
  /(?<=<(?:\w{1,20}:)?(?:tool_call|function_call)>\s{0,20})([A-Za-z_][\w.:-]{0,199})\s{0,20}(?=<\/(?:\w{1,20}:)?(?:tool_call|function_call)>)/y;
const fenceStart = /`{3,}[\w-]*[ \t]*\n/y;
const ends = /\s*(?:[}\]]{1,3}(?=\s*<\/))?(?:`{3,}\s*)?(?:<\/(?:function|invoke)>|<[|｜]tool[▁_]call[▁_]end[|｜]>)?/y;
const parameter =
  /\s*(?:<parameter(?:=|\s+name=")([\w.:-]{1,200})"?[^>]{0,100}>([\s\S]*?)(?:<\/parameter>|(?=\n<parameter[= ]|\n?<\/(?:function|invoke)>\s*(?:<\/|$)))|<arg_key>([\s\S]{1,200}?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>)/y;

/**
 * Reads calls of offered tools in the forms in which models write them where a server does not read them: JSON between marks, or
 * in a fence; parameters in tags. Undefined for a text that begins with none, or with one of an unknown tool.
 */
export function readCalls(written: string, offered: readonly CallableTool[]): WrittenCalls | undefined {
  // DeepSeek's markup is that of others, with a mark of its own in each tag.
  const text = written.startsWith('<') ? written.replace(/<(\/?)[|｜]DSML[|｜](?=[a-z])/g, '<$1') : written;
  const tools: Tools = new Map(offered.map((tool) => [tool.name, tool]));
  const calls: WrittenCall[] = [];
  let at = 0;
  for (;;) {
    const start = after(borders, text, at);
    const read = readOne(text, start, tools);
    if (read === undefined) break;
    calls.push(...read.calls);
    at = read.end;
  }
  if (calls.length === 0) return undefined;
  const end = after(borders, text, at);
  return { calls, rest: text.slice(end).trimStart(), isSameLine: !text.slice(at, end).includes('\n') };
}

interface Read {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

function readOne(text: string, at: number, tools: Tools): Read | undefined {
  for (const form of [named, invoked, begun]) {
    const head = matchAt(form, text, at);
    if (head !== undefined) return readArguments(text, at + head[0].length, nameIn(head[1] ?? '', tools), tools);
  }
  const json = readJson(text, after(fenceStart, text, at));
  if (json !== undefined) {
    const made = (Array.isArray(json.value) ? json.value : [json.value]).map((each) => callOf(each, tools));
    return made.length > 0 && made.every((call) => call !== undefined)
      ? { calls: made, end: after(ends, text, json.end) }
      : undefined;
  }
  const alone = matchAt(nameAlone, text, at);
  const only = alone === undefined ? undefined : nameIn(alone[1] ?? '', tools);
  if (alone !== undefined && only !== undefined)
    return { calls: [{ name: only, arguments: '{}' }], end: at + alone[0].length };
  const bare = matchAt(bareName, text, at);
  return bare === undefined ? undefined : readArguments(text, at + bare[0].length, nameIn(bare[1] ?? '', tools), tools);
}

/** The arguments behind a name: JSON, in a fence or bare, or parameters in tags. */
function readArguments(text: string, from: number, name: string | undefined, tools: Tools): Read | undefined {
  if (name === undefined) return undefined;
  const json = readJson(text, after(fenceStart, text, from));
  if (json !== undefined && isPlainObject(json.value))
    return { calls: [{ name, arguments: JSON.stringify(json.value) }], end: after(ends, text, json.end) };
  const found: Record<string, unknown> = {};
  let at = from;
  for (let part = matchAt(parameter, text, at); part !== undefined; part = matchAt(parameter, text, at)) {
    const [all, first, value, second, other] = part;
    const key = (first ?? second ?? '').trim();
    Object.defineProperty(found, key, {
      value: writtenValue(value ?? other ?? '', typeOf(tools.get(name), key)),
      enumerable: true,
      configurable: true,
    });
    at += all.length;
  }
  const end = after(ends, text, at);
  // A parameter that breaks off was cut; what it would have held cannot be told.
  if (/^\s*<(?:parameter|arg_key)\b/.test(text.slice(end, end + 100))) return undefined;
  // A call without arguments has its closing mark; without one it may be a name in a sentence.
  return end > from ? { calls: [{ name, arguments: JSON.stringify(found) }], end } : undefined;
}

const nameIn = (written: string, tools: Tools): string | undefined => meantTool(written, [...tools.values()])?.name;

const nameMembers = ['name', 'tool_name', 'tool', 'function'];
const argumentMembers = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'kwargs'];

function callOf(value: unknown, tools: Tools): WrittenCall | undefined {
  if (!isPlainObject(value)) return undefined;
  if (isPlainObject(value['function'])) return callOf(value['function'], tools);
  const written = nameMembers.map((member) => value[member]).find((member) => typeof member === 'string');
  const member = argumentMembers.find((each) => Object.hasOwn(value, each));
  const name = typeof written === 'string' ? nameIn(written, tools) : undefined;
  if (name === undefined || member === undefined || Object.hasOwn(value, 'description')) return undefined;
  const given = value[member];
  if (isSchema(given)) return undefined;
  const read = typeof given === 'string' ? readNearlyJson(given) : given;
  return isPlainObject(read) ? { name, arguments: JSON.stringify(read) } : undefined;
}

/** Whether it says what arguments a tool takes: then the tool is told of, not called. */
function isSchema(value: unknown): boolean {
  return isPlainObject(value) && value['type'] === 'object' && isPlainObject(value['properties']);
}

function typeOf(tool: CallableTool | undefined, key: string): unknown {
  const properties = isPlainObject(tool?.parameters) ? tool.parameters['properties'] : undefined;
  const described = isPlainObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isPlainObject(described) ? described['type'] : undefined;
}

/** A value in a tag is text; a number, a list and the like only where the schema does not say that it is text. */
function writtenValue(written: string, type: unknown): unknown {
  const text = written.replace(/^\n/, '').replace(/\n$/, '');
  const bare = text.trim();
  const types = [type].flat();
  if (types.includes('string')) return bare === 'null' && types.includes('null') ? null : text;
  if (!/^(?:[[{"\d-]|(?:true|false|null|True|False|None)$)/.test(bare)) return text;
  // Without a schema it may be text that only looks so.
  if (type === undefined && !isJson(bare)) return text;
  const list = readNearlyJson(`[${bare}]`);
  return Array.isArray(list) && list.length === 1 ? list[0] : text;
}

/** The JSON that begins at a place, to its last bracket; a model may leave that out. */
function readJson(text: string, from: number): { readonly value: unknown; readonly end: number } | undefined {
  if (text[from] !== '{' && text[from] !== '[') return undefined;
  const end = endOfJson(text, from);
  const value = readNearlyJson(text.slice(from, end));
  return value === undefined ? undefined : { value, end };
}

function endOfJson(text: string, from: number): number {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (isText && sign === '\\') at++;
    else if (sign === '"') isText = !isText;
    else if (!isText && (sign === '{' || sign === '[')) depth++;
    else if (!isText && (sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  const mark = text.indexOf('</', from);
  return mark < 0 ? text.length : mark;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}

function after(form: RegExp, text: string, at: number): number {
  return at + (matchAt(form, text, at)?.[0].length ?? 0);
}

import type { ChatFields, Tool } from '../../service/chat/chatRequest.ts';

/** A tool as VS Code offers it to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

export interface RequestOptions {
  readonly modelOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: readonly OfferedTool[] | undefined;
  /** Whether the model must call one of the tools. */
  readonly mustCall: boolean;
}

/** The fields of the document; the compiler refuses one that is missing. */
const documented: Record<keyof ChatFields, true> = {
  frequency_penalty: true,
  presence_penalty: true,
  functions: true,
  function_call: true,
  tools: true,
  tool_choice: true,
  parallel_tool_calls: true,
  logit_bias: true,
  logprobs: true,
  top_logprobs: true,
  max_tokens: true,
  n: true,
  response_format: true,
  seed: true,
  stop: true,
  stream_options: true,
  temperature: true,
  top_p: true,
  user: true,
};
/** Fields that the request itself decides, whatever an extension asks for. */
const reserved = new Set(['model', 'messages', 'stream']);

/**
 * The options of a request of VS Code as fields of the service's: `modelOptions` by their names on the wire, those the
 * document does not know as `extra`. Their values are checked where all requests are.
 */
export function toRequestFields(options: RequestOptions): { fields: ChatFields; extra: Record<string, unknown> } {
  // Names with an underscore in front are notes that VS Code's own chat passes to its own models.
  const isForService = ([name]: [string, unknown]): boolean => !reserved.has(name) && !name.startsWith('_');
  const given = Object.entries(options.modelOptions ?? {}).filter(isForService);
  const isDocumented = ([name]: [string, unknown]): boolean => Object.hasOwn(documented, name);
  return {
    fields: { ...(Object.fromEntries(given.filter(isDocumented)) as ChatFields), ...toolFields(options) },
    extra: Object.fromEntries(given.filter((entry) => !isDocumented(entry))),
  };
}

function toolFields({ tools = [], mustCall }: RequestOptions): Pick<ChatFields, 'tools' | 'tool_choice'> {
  const [first] = tools;
  if (first === undefined) return {};
  const one = tools.length === 1;
  return {
    tools: tools.map(toTool),
    ...(mustCall ? { tool_choice: one ? { type: 'function', function: { name: first.name } } : 'required' } : {}),
  };
}

function toTool({ name, description, inputSchema }: OfferedTool): Tool {
  // Some services refuse a function without a schema, even one that takes nothing.
  const parameters = (inputSchema ?? { type: 'object', properties: {} }) as Record<string, unknown>;
  return { type: 'function', function: { name, description, parameters } };
}

import type { ChatFields, Tool } from '../../service/chat/chatRequest.ts';
import { createToolNames, type ToolNames } from './toolNames.ts';
import { completeSchema } from './toolSchema.ts';

/** A tool as VS Code offers it to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

export interface RequestOptions {
  readonly modelOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: readonly OfferedTool[] | undefined;
  /** The names of the tools as the service takes them. */
  readonly names?: Pick<ToolNames, 'sent'>;
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

function toolFields({
  tools = [],
  names = createToolNames(tools.map(({ name }) => name)),
  mustCall,
}: RequestOptions): Pick<ChatFields, 'tools' | 'tool_choice'> {
  if (tools.length === 0) return {};
  // With one tool it says the same as that tool's name, which some services refuse.
  return { tools: tools.map((tool) => toTool(tool, names)), ...(mustCall ? { tool_choice: 'required' } : {}) };
}

function toTool({ name, description, inputSchema }: OfferedTool, names: Pick<ToolNames, 'sent'>): Tool {
  return {
    type: 'function',
    function: { name: names.sent(name), description, parameters: completeSchema(inputSchema) },
  };
}

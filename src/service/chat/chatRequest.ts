/**
 * A chat request as service-api.md 2.1 to 2.3 has it. Members have the names they have on the wire, so that nothing is
 * translated on the way; a member that is undefined is not sent.
 */
export interface ChatFields {
  frequency_penalty?: number;
  presence_penalty?: number;
  /** Legacy form of `tools`; paired with `function_call`. */
  functions?: readonly FunctionDefinition[];
  /** `none`, `auto`, or the function that must be called. */
  function_call?: string | { name: string };
  tools?: readonly Tool[];
  /** `none`, `auto`, `required`, or the tool that must be called. */
  tool_choice?: string | { type: 'function'; function: { name: string } };
  parallel_tool_calls?: boolean;
  /** Token id → bias. */
  logit_bias?: Readonly<Record<string, number>> | null;
  logprobs?: boolean;
  top_logprobs?: number;
  max_tokens?: number;
  /** How many choices to write, at most 128. */
  n?: number;
  response_format?: { type: string; [member: string]: unknown };
  seed?: number;
  stop?: string | readonly string[];
  stream_options?: { include_usage?: boolean; [member: string]: unknown } | null;
  temperature?: number;
  top_p?: number;
  user?: string;
}

export interface FunctionDefinition {
  name: string;
  description?: string;
  /** A JSON schema of the arguments. */
  parameters?: Readonly<Record<string, unknown>>;
}

export interface Tool {
  type: 'function';
  function: FunctionDefinition;
}

/** A part of a message's content, for models that see. */
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  /** Thoughts of a Mistral model. */
  | { type: 'thinking'; thinking: readonly { type: 'text'; text: string }[] };

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'function';
  /** Null in an assistant's message that only calls tools. */
  content: string | readonly ContentPart[] | null;
  name?: string;
  /** In a `tool` message: the call it answers. */
  tool_call_id?: string;
  /** In an assistant's message: the calls it made. */
  tool_calls?: readonly MadeCall[];
  function_call?: { name: string; arguments: string };
  /** In an assistant's message: the model's thoughts, in the field in which the service sent them. */
  reasoning_content?: string;
  reasoning?: string;
  thinking?: string;
  reasoning_details?: readonly Readonly<Record<string, unknown>>[];
}

/** A call that the model made. */
export interface MadeCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** The data that the service sent along with the call. */
  extra_content?: Readonly<Record<string, unknown>>;
}

/** A message of text alone. */
export interface TextMessage extends ChatMessage {
  content: string;
}

export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** Ask for the answer piece by piece. */
  stream: boolean;
  fields?: ChatFields;
  /** Fields the document does not know, sent as they are (`parley.chat.extraBody`). */
  extra?: Readonly<Record<string, unknown>>;
  /** Called before each wait for a retry, in milliseconds. */
  onWait?: (waitMs: number) => void;
  /** Called when the answer begins, with whether the service sends it piece by piece. */
  onAnswer?: (isStreamed: boolean) => void;
}

import {
  commands,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  type LanguageModelResponsePart,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { adjustmentText } from '../../editor/sentences/adjustmentText.ts';
import type { Services } from '../../editor/services.ts';
import { readSetting } from '../../editor/settings.ts';
import { thoughtsField } from '../../service/chat/sentThoughts.ts';
import type { FieldMemory } from '../../service/compat/fieldMemory.ts';
import { type Endpoint, requireKey } from '../../service/endpoint.ts';
import { levelField } from '../catalog/capabilities.ts';
import { levelChoice, type ParleyModel } from '../catalog/modelInformation.ts';
import { createDelivery } from './delivery.ts';
import { toChatMessages } from './messages.ts';
import { readMessage, writePart } from './parts.ts';
import { type AnswerListener, passAnswer } from './reportAnswer.ts';
import { toRequestFields } from './requestFields.ts';
import { createThoughtMemory } from './thoughtMemory.ts';
import { answerToBadCalls } from './toolArguments.ts';
import { createToolNames } from './toolNames.ts';

/** The time limit for the answer of a window, in milliseconds. */
const roundTripTimeoutMs = 2_000;

/** Asks a model for an extension, and reports the answer to VS Code. */
export type Respond = (
  model: ParleyModel,
  messages: readonly LanguageModelChatRequestMessage[],
  options: ProvideLanguageModelChatResponseOptions,
  progress: Progress<LanguageModelResponsePart>,
  signal: AbortSignal,
) => Promise<void>;

export function createResponder({ keys, client, notices }: Services): Respond {
  const memory = createThoughtMemory();
  return async (model, messages, options, progress, signal) => {
    const endpoint = { ...requireKey(await keys.withKey(model.source)), model: model.model };
    const { baseUrl } = endpoint;
    const names = createToolNames((options.tools ?? []).map(({ name }) => name));
    const { fields, extra } = toRequestFields({
      modelOptions: options.modelOptions,
      tools: options.tools,
      names,
      mustCall: options.toolMode === LanguageModelChatToolMode.Required,
    });
    const takesImages = model.capabilities.imageInput === true;
    const request = {
      messages: toChatMessages(
        messages.map(readMessage),
        takesImages,
        (call) => memory.notes(baseUrl, call),
        names.sent,
      ),
      stream: readSetting('parley.chat.stream'),
      fields,
      extra: { ...readSetting('parley.chat.extraBody'), ...chosenLevel(model, options), ...extra },
    };
    const thoughtId = crypto.randomUUID();
    const delivery = createDelivery(
      {
        report(piece) {
          const part = writePart(piece, thoughtId);
          if (part !== undefined) progress.report(part);
        },
        roundTrip: () => roundTrip(signal),
      },
      systemClock,
      signal,
    );
    try {
      const listener: AnswerListener = {
        nameOf: names.given,
        pass(piece) {
          if (piece.kind === 'tool-call') noteTools(client.memory, endpoint);
          delivery.pass(piece);
        },
        onNotes: (call, notes) => memory.keep(baseUrl, call, notes),
        onAdjusted(adjustment) {
          // The caller did not ask for thoughts in the messages, so the user is not told of them.
          if (adjustment.field !== thoughtsField) void notices.info(adjustmentText(adjustment));
        },
      };
      const bad = await passAnswer(client.chat(endpoint, request, signal), baseUrl, listener);
      if (bad !== undefined) {
        const again = { ...request, messages: [...request.messages, ...answerToBadCalls(bad)] };
        const [stillBad] = (await passAnswer(client.chat(endpoint, again, signal), baseUrl, listener)) ?? [];
        if (stillBad !== undefined) throw new ServiceError('malformed', { url: baseUrl, param: stillBad.name });
      }
      delivery.end();
    } catch (error) {
      await delivery.settle();
      throw error;
    }
  };
}

/** Remembers that a model has tools, once: edits are asked for as calls of one then. */
function noteTools(memory: FieldMemory, { baseUrl, model }: Endpoint): void {
  const known = memory.forms(baseUrl, model)['tool'];
  if (known === undefined) memory.noteForm(baseUrl, model, 'tool', 'worked');
}

/** The choices of a user for a model, as VS Code passes them since 1.110; the types have them as a proposal. */
type Configured = ProvideLanguageModelChatResponseOptions & {
  readonly modelConfiguration?: Readonly<Record<string, unknown>>;
};

function chosenLevel({ thinking }: ParleyModel, { modelConfiguration }: Configured): Record<string, unknown> {
  const chosen = modelConfiguration?.[levelChoice];
  return (thinking && levelField(thinking, chosen)) ?? {};
}

/** Makes a round trip to VS Code's window, by a command of its own that does nothing. */
async function roundTrip(signal: AbortSignal): Promise<void> {
  const answered = commands.executeCommand('noop').then(
    () => undefined,
    // A window without that command has answered as well.
    () => undefined,
  );
  const over = new AbortController();
  const late = systemClock.sleep(roundTripTimeoutMs, AbortSignal.any([signal, over.signal]));
  await Promise.race([answered, late]);
  over.abort();
}

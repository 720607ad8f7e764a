import { env, l10n } from 'vscode';
import { plain, plainInMarkdown } from '../../editor/text/plainText.ts';
import type { PlainModel } from '../../editor/text/shown.ts';
import type { ModelDetails } from '../../service/models/models.ts';
import { capabilitiesOf, noLevel, type Thinking } from './capabilities.ts';
import { familyAndVersion, modelIdentifier } from './modelName.ts';
import type { Source } from './modelSource.ts';

/** A model as VS Code lists it, with what a request to it needs; that half never leaves the extension host. */
export interface ParleyModel extends PlainModel {
  readonly source: Source;
  /** The model's name at the service. */
  readonly model: string;
  readonly thinking?: Thinking;
  /** Whether the list of models in the chat has it: VS Code 1.120 leaves out those that do not say so. The types have it as a proposal. */
  readonly isUserSelectable: true;
  /** The choices a person has for a model. VS Code reads it since 1.110; the types have it as a proposal. */
  readonly configurationSchema?: { readonly properties: Readonly<Record<string, object>> };
}

/** The name of the choice among levels: VS Code's own agents look for it under this one. */
export const levelChoice = 'reasoningEffort';

/**
 * @param details those of the service's list; empty for a model that only the user named
 * @param setting `parley.models.capabilities`
 * @param problem a sentence on why the service cannot be asked for its models just now
 */
export function describeModel(
  source: Source,
  model: string,
  details: ModelDetails,
  setting: unknown,
  problem?: string,
): ParleyModel {
  const { maxInputTokens, maxOutputTokens, assumed, ...able } = capabilitiesOf(model, details, setting);
  const { toolCalling, imageInput, thinking } = able;
  const { family, version } = familyAndVersion(model);
  const { host } = new URL(source.baseUrl);
  const sentences = [
    details.owner === undefined
      ? l10n.t('{0} at {1}.', model, source.baseUrl)
      : l10n.t('{0} by {1} at {2}.', model, details.owner, source.baseUrl),
    assumed
      ? l10n.t(
          'The service does not say how much it reads; {0} tokens are assumed.',
          maxInputTokens.toLocaleString(env.language),
        )
      : '',
    problem === undefined ? '' : l10n.t('The list of models could not be brought up to date: {0}', problem),
  ];
  return {
    id: modelIdentifier(source.baseUrl, model),
    name: plainInMarkdown(model),
    family: plainInMarkdown(family),
    version: plainInMarkdown(version),
    detail: plain(host),
    tooltip: plainInMarkdown(sentences.filter(Boolean).join(' ')),
    maxInputTokens,
    maxOutputTokens,
    capabilities: { toolCalling, imageInput },
    isUserSelectable: true,
    source,
    model,
    ...(thinking === undefined
      ? {}
      : { thinking, configurationSchema: { properties: { [levelChoice]: choiceOf(thinking) } } }),
  };
}

/** The choice as VS Code draws it next to the model: of several levels, and of none where the usual one is not known. */
function choiceOf({ levels, usual }: Thinking): object {
  const offered = usual === undefined ? [noLevel, ...levels] : levels;
  return {
    title: l10n.t('Thinking'),
    description: l10n.t('How hard the model is told to think.'),
    enum: offered,
    enumItemLabels: offered.map((level) =>
      level === noLevel ? plain(l10n.t('As the service does')) : plain(String(level)),
    ),
    default: usual ?? noLevel,
    // VS Code shows the choices of this group beside the model.
    group: 'navigation',
  };
}

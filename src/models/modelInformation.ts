import { env, type LanguageModelChatInformation, l10n } from 'vscode';
import type { ModelDetails } from '../service/modelDetails.ts';
import { familyAndVersion, limitsOf, modelIdentifier, takesImages } from './information.ts';
import type { Source } from './sources.ts';

/** A model as VS Code lists it, with what a request to it needs; that half never leaves the extension host. */
export interface ParleyModel extends LanguageModelChatInformation {
  readonly source: Source;
}

/** @param details what the service's list tells of the model; empty for one that only the user named */
export function describeModel(source: Source, model: string, details: ModelDetails): ParleyModel {
  const { maxInputTokens, maxOutputTokens, assumed } = limitsOf(details);
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
  ];
  return {
    id: modelIdentifier(source.baseUrl, model),
    name: model,
    ...familyAndVersion(model),
    detail: host,
    tooltip: sentences.filter(Boolean).join(' '),
    maxInputTokens,
    maxOutputTokens,
    capabilities: { toolCalling: true, imageInput: takesImages(model, details) },
    source,
  };
}

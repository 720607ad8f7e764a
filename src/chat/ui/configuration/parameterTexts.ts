import { env, l10n } from 'vscode';
import {
  type Configuration,
  type ParameterBounds,
  type ParameterName,
  parameterBounds,
  parameterNames,
} from '../../configuration.ts';

/** The name of a parameter for a person. */
export function parameterLabel(name: ParameterName): string {
  const labels: Record<ParameterName, string> = {
    temperature: l10n.t('Temperature'),
    top_p: l10n.t('Top P'),
    max_tokens: l10n.t('Maximum Tokens'),
    frequency_penalty: l10n.t('Frequency Penalty'),
    presence_penalty: l10n.t('Presence Penalty'),
    seed: l10n.t('Seed'),
  };
  return labels[name];
}

/** What a parameter does, in one line. */
export function parameterDetail(name: ParameterName): string {
  const details: Record<ParameterName, string> = {
    temperature: l10n.t('How free the choice of words is; 0 takes the likeliest'),
    top_p: l10n.t('Only the likeliest words, up to this share of probability'),
    max_tokens: l10n.t('Where an answer ends at the latest'),
    frequency_penalty: l10n.t('Makes words rarer the more often they came'),
    presence_penalty: l10n.t('Makes words rarer that came before'),
    seed: l10n.t('The same seed may give the same answer again'),
  };
  return details[name];
}

/** The values that a parameter takes. */
export function parameterValues(name: ParameterName): string {
  const { least, most, isInteger }: ParameterBounds = parameterBounds[name];
  if (least !== undefined && most !== undefined) return l10n.t('A number from {0} to {1}', least, most);
  if (isInteger) return least === undefined ? l10n.t('A whole number') : l10n.t('A whole number from {0} on', least);
  return least === undefined ? l10n.t('A number') : l10n.t('A number from {0} on', least);
}

export function numberText(value: number): string {
  return new Intl.NumberFormat(env.language, { maximumFractionDigits: 20, useGrouping: false }).format(value);
}

/** What a conversation has of its own besides its model, in one line; empty when nothing. */
export function configurationText({ systemPrompt, parameters }: Configuration): string {
  const own = parameterNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`${parameterLabel(name)} ${numberText(value)}`];
  });
  return [...own, ...(systemPrompt === undefined ? [] : [l10n.t('System Prompt')])].join(', ');
}

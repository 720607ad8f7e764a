import type { ConfigurationChange } from '../parameters/configuration.ts';
import type { Parameters } from '../parameters/parameterForms.ts';
import type { RequestOverride } from '../parameters/requestOverride.ts';

/** How many answers can be compared at a time. */
export const [fewestCompared, mostCompared] = [2, 4];

/** A model in the place of a conversation's own, with the parameters that the conversation has. */
export function contestantOfModel(model: string, { n: _, ...parameters }: Parameters): RequestOverride {
  return { model, parameters };
}

/** A preset: what it does not have is as in the settings. @param change what the preset has beside the settings */
export function contestantOfPreset(preset: string, { model, parameters = {} }: ConfigurationChange): RequestOverride {
  const { n: _, ...set } = parameters;
  const known = Object.entries(set).filter(([, value]) => value !== undefined && value !== null);
  return { preset, ...(model && { model }), parameters: Object.fromEntries(known) };
}

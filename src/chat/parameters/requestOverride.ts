import type { Configuration } from './configuration.ts';
import { isParameter, isParameterName, type Parameters } from './parameterForms.ts';

/** What one answer is asked with in the place of what its conversation has, whose system prompt and instructions stay. */
export interface RequestOverride {
  /** The name of the preset that it comes from, where it does. */
  readonly preset?: string | undefined;
  /** Absent: the model of the settings. */
  readonly model?: string | undefined;
  /** All fields of the request; what is not there is as in the settings. */
  readonly parameters: Parameters;
}

/** The configuration of a request: that of the conversation, but for what an answer is asked with by itself. */
export function configurationWith(configuration: Configuration, asked: RequestOverride | undefined): Configuration {
  if (asked === undefined) return configuration;
  const { model: _, ...kept } = configuration;
  const { model, parameters } = asked;
  // A file may hold what a later version has written.
  const known = Object.entries(parameters).filter(([name, value]) => isParameterName(name) && isParameter(name, value));
  return { ...kept, parameters: Object.fromEntries(known), ...(model !== undefined && { model }) };
}

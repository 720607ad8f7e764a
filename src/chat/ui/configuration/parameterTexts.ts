import { env, l10n } from 'vscode';
import type { Configuration } from '../../parameters/configuration.ts';
import {
  type ParameterForm,
  type ParameterGroup,
  type ParameterName,
  type ParameterValue,
  parameterForms,
  parameterNames,
} from '../../parameters/parameterForms.ts';
import type { ReadParameter } from '../../parameters/parameterText.ts';

/** The name of a parameter for a person. */
export function parameterLabel(name: ParameterName): string {
  const labels: Record<ParameterName, string> = {
    temperature: l10n.t('Temperature'),
    top_p: l10n.t('Top P'),
    max_tokens: l10n.t('Maximum Tokens'),
    frequency_penalty: l10n.t('Frequency Penalty'),
    presence_penalty: l10n.t('Presence Penalty'),
    seed: l10n.t('Seed'),
    logit_bias: l10n.t('Logit Bias'),
    stop: l10n.t('Stop Sequences'),
    n: l10n.t('Number of Answers'),
    response_format: l10n.t('Response Format'),
    logprobs: l10n.t('Log Probabilities'),
    top_logprobs: l10n.t('Alternatives per Token'),
    tools: l10n.t('Tools'),
    tool_choice: l10n.t('Tool Choice'),
    parallel_tool_calls: l10n.t('Parallel Tool Calls'),
    functions: l10n.t('Functions'),
    function_call: l10n.t('Function Call'),
    stream: l10n.t('Stream'),
    stream_options: l10n.t('Stream Options'),
    user: l10n.t('User'),
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
    logit_bias: l10n.t('Makes single tokens likelier (up to 100) or rarer (down to -100), by their ids'),
    stop: l10n.t('An answer ends before any of these'),
    n: l10n.t('How many answers are written at once, each a version of the answer'),
    response_format: l10n.t('Holds the answer to JSON, or to a schema'),
    logprobs: l10n.t('How sure the model was of each token'),
    top_logprobs: l10n.t('How many other tokens are told for each one'),
    tools: l10n.t('Functions that the model may ask to be called; Parley shows the calls and runs nothing'),
    tool_choice: l10n.t('Whether the model calls a tool, or which one'),
    parallel_tool_calls: l10n.t('Whether the model may ask for several calls at once'),
    functions: l10n.t('The older form of tools'),
    function_call: l10n.t('The older form of the tool choice'),
    stream: l10n.t('Whether an answer comes piece by piece'),
    stream_options: l10n.t('What the stream carries besides the answer'),
    user: l10n.t('A name for the end user, which the service may keep'),
  };
  return details[name];
}

/** The values that a parameter takes. */
export function parameterValues(name: ParameterName): string {
  const { kind, words = [] }: ParameterForm = parameterForms[name];
  switch (kind) {
    case 'number':
      return numberValues(parameterForms[name]);
    case 'switch':
      return l10n.t('true or false');
    case 'text':
      return l10n.t('Any text');
    case 'lines':
      return l10n.t('One a line; \\n stands for a line break');
    case 'json':
      return l10n.t('JSON');
    case 'word':
      return l10n.t('{0}, or a JSON object', words.join(', '));
  }
}

function numberValues({ least, most, isInteger }: ParameterForm): string {
  if (least !== undefined && most !== undefined) {
    return isInteger
      ? l10n.t('A whole number from {0} to {1}', least, most)
      : l10n.t('A number from {0} to {1}', least, most);
  }
  if (isInteger) return least === undefined ? l10n.t('A whole number') : l10n.t('A whole number from {0} on', least);
  return least === undefined ? l10n.t('A number') : l10n.t('A number from {0} on', least);
}

/** The heading of a group of parameters. */
export function groupLabel(group: ParameterGroup): string {
  const labels: Record<ParameterGroup, string> = {
    sampling: l10n.t('Choice of Words'),
    length: l10n.t('Length'),
    format: l10n.t('Format'),
    confidence: l10n.t('Confidence'),
    tools: l10n.t('Tools'),
    transport: l10n.t('Request'),
  };
  return labels[group];
}

/** What is wrong with what a person wrote for a parameter. */
export function parameterProblemText(
  name: ParameterName,
  read: Exclude<ReadParameter, { readonly value: unknown }>,
): string {
  if (read.problem === 'json') return l10n.t('This is not JSON.');
  // What a list or an object lacks stands somewhere within.
  const isWithin = read.problem === 'value' && ['json', 'word'].includes(parameterForms[name].kind);
  return isWithin ? l10n.t('“{0}” takes {1}.', read.param, read.takes) : `${parameterValues(name)}.`;
}

function numberText(value: number): string {
  return new Intl.NumberFormat(env.language, { maximumFractionDigits: 20, useGrouping: false }).format(value);
}

/** What a conversation has of its own besides its model, in one line; empty when nothing. */
export function configurationText({ systemPrompt, parameters }: Configuration): string {
  const own = parameterNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`${parameterLabel(name)} ${shortText(value)}`.trim()];
  });
  return [...own, ...(systemPrompt === undefined ? [] : [l10n.t('System Prompt')])].join(', ');
}

/** A value in a line of others; what is long is not told. */
function shortText(value: ParameterValue): string {
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'object' ? '' : String(value);
}

import { l10n } from 'vscode';
import type { InstructionFile } from '../../../base/workspaceInstructions.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { plain } from '../../../editor/text/plainText.ts';
import type { Adjustment } from '../../../service/compat/fieldMemory.ts';
import type {
  DrawerView,
  ExtraFieldView,
  FieldState,
  FieldView,
} from '../../../webview/shared/protocol/drawerProtocol.ts';
import type { ChatSettings } from '../../answering/answering.ts';
import type { Configuration } from '../../parameters/configuration.ts';
import {
  isParameter,
  isParameterName,
  type ParameterForm,
  type ParameterName,
  parameterForms,
  parameterNames,
} from '../../parameters/parameterForms.ts';
import { writeParameter } from '../../parameters/parameterText.ts';
import { neededBy } from '../../parameters/sentParameters.ts';
import { groupLabel, parameterDetail, parameterLabel, parameterValues } from '../configuration/parameterTexts.ts';
import { instructionChipId } from './messageView.ts';

/** The fields of the drawer, in their order. */
export function fieldViews(): FieldView[] {
  return parameterNames.map((name) => {
    const { kind, group, words = [] }: ParameterForm = parameterForms[name];
    const texts = { label: parameterLabel(name), detail: parameterDetail(name), values: parameterValues(name) };
    return { name, kind, ...texts, group: groupLabel(group), words };
  });
}

/** What the drawer shows of a conversation. */
export interface DrawerParts {
  readonly configuration: Configuration;
  readonly settings: ChatSettings;
  readonly instructions: readonly InstructionFile[];
  /** What the service is known to refuse of this model. */
  readonly adjustments: readonly Adjustment[];
}

export function drawerView(parts: DrawerParts): DrawerView {
  const { configuration, instructions } = parts;
  const states = parameterNames.map((name) => [name, fieldState(name, parts)] as const);
  return {
    fields: Object.fromEntries(states.filter(([, state]) => Object.keys(state).length > 0)),
    extra: extraFields(parts),
    files: instructions.map(({ uri, name }) => {
      return { id: instructionChipId(uri), label: plain(name), isSent: !configuration.leftOut.has(uri) };
    }),
    hasSystemPrompt: configuration.systemPrompt !== undefined,
    hasModel: configuration.model !== undefined,
  };
}

function fieldState(name: ParameterName, { configuration, settings, adjustments }: DrawerParts): FieldState {
  const own = configuration.parameters[name];
  const set = name === 'stream' ? settings.stream : settings.extra?.[name];
  const refused = adjustments.find(({ field }) => field === name);
  const needed = own === undefined ? undefined : neededBy(name, configuration.parameters, settings.stream);
  const isOff = needed !== undefined || (refused !== undefined && isLeftOut(refused));
  const remark = refused === undefined ? needed && neededText(needed) : adjustmentText(refused);
  return {
    ...(own !== undefined && { own: writeParameter(name, own) }),
    ...(set !== undefined && isParameter(name, set) && { inSettings: writeParameter(name, set) }),
    ...(remark !== undefined && { remark: plain(remark, { length: 500 }) }),
    ...(isOff && { isOff }),
  };
}

/** The most fields of the setting that are shown, and the longest name and value, in characters. */
const [mostExtra, longestName, longestValue] = [100, 100, 500];

/** Names of fields whose values are nobody's to read over a shoulder. */
const secretName = /api[_-]?key|secret|password|authorization|access[_-]?token/i;

/** What `parley.chat.extraBody` sets. A field that the conversation has of its own goes in its place. */
function extraFields({ configuration, settings, adjustments }: DrawerParts): ExtraFieldView[] {
  return Object.entries(settings.extra ?? {})
    .slice(0, mostExtra)
    .map(([name, value]) => {
      const isReplaced = isParameterName(name) && configuration.parameters[name] !== undefined;
      const refused = adjustments.find(({ field }) => field === name);
      const remark = isReplaced
        ? l10n.t('This conversation has its own.')
        : (refused && adjustmentText(refused)) || undefined;
      return {
        name: plain(name, { length: longestName }),
        value: secretName.test(name) ? '•••' : plain(JSON.stringify(value) ?? '', { length: longestValue }),
        ...(remark !== undefined && { remark: plain(remark, { length: 500 }) }),
        ...((isReplaced || (refused !== undefined && isLeftOut(refused))) && { isOff: true }),
      };
    });
}

const isLeftOut = ({ renamedTo, value }: Adjustment): boolean => renamedTo === undefined && value === undefined;

function neededText(name: ParameterName): string {
  return l10n.t('It is not sent: it means nothing without “{0}”.', parameterLabel(name));
}

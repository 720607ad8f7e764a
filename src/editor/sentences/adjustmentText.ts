import { l10n } from 'vscode';
import type { Adjustment } from '../../service/compat/fieldMemory.ts';

/** One sentence on a field that a service refused, and what is done about it. */
export function adjustmentText({ field, renamedTo, value }: Adjustment): string {
  if (field === 'messages.system') {
    return l10n.t('This model takes no system message; Parley puts its text before the first question from now on.');
  }
  if (field === 'messages.ids') {
    return l10n.t('This model wants ids of tool calls in another form; Parley writes them so from now on.');
  }
  if (field.startsWith('tools.')) {
    return l10n.t(
      'The service does not take the tool “{0}”; Parley offers the others without it from now on.',
      field.slice('tools.'.length),
    );
  }
  if (field === 'messages.order') {
    return l10n.t('This model wants questions and answers in turn; Parley joins messages of one side from now on.');
  }
  if (value !== undefined) {
    return l10n.t(
      'This model takes the request field “{0}” with the value {1} alone; Parley sends that from now on.',
      field,
      String(value),
    );
  }
  if (field === 'response_format' && renamedTo !== undefined) {
    return l10n.t('This model cannot be held to a JSON schema; it was asked for JSON, and told the schema in words.');
  }
  const [name, form] = field.split('=');
  if (name === 'response_format' && form !== undefined) {
    return l10n.t('This model does not answer in the form “{0}”; Parley asks for a simpler one from now on.', form);
  }
  if (field === 'response_format') {
    return l10n.t(
      'This model does not take the request field “{0}”; Parley asks for JSON in words from now on.',
      field,
    );
  }
  return renamedTo === undefined
    ? l10n.t('This model does not take the request field “{0}”; Parley leaves it out from now on.', field)
    : l10n.t('This model takes the request field “{0}” as “{1}”; Parley sends it so from now on.', field, renamedTo);
}

import { l10n } from 'vscode';

/** @param variable the environment variable that the settings name, which is not there */
export function noKeySentence(host: string, variable: string | undefined): string {
  if (variable === undefined) return l10n.t('There is no API key for {0}.', host);
  return l10n.t(
    'There is no API key for {0}: the environment variable {1} of the settings is not set where VS Code was started.',
    host,
    variable,
  );
}

import { l10n } from 'vscode';
import { readSetting } from '../settings.ts';

/** An environment variable that is named in the settings and is not there is what the user has to hear of. */
export function noKeySentence(host: string): string {
  const variable = readSetting('parley.apiKeyEnvironmentVariable').trim();
  if (variable === '' || process.env[variable]?.trim()) return l10n.t('There is no API key for {0}.', host);
  return l10n.t(
    'There is no API key for {0}: the environment variable {1} of the settings is not set where VS Code was started.',
    host,
    variable,
  );
}

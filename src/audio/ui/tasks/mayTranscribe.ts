import { type Disposable, l10n } from 'vscode';
import { setContext } from '../../../editor/contextKeys.ts';
import { Disposables } from '../../../editor/disposables.ts';
import { withLateProgress } from '../../../editor/progress.ts';
import { openSettings } from '../../../editor/sentences/errorButtons.ts';
import type { Services } from '../../../editor/services.ts';
import { onSettingChange, readSetting } from '../../../editor/settings.ts';
import { ContextKey } from '../../../ids/ids.ts';
import type { Endpoint } from '../../../service/endpoint.ts';

/** Whether recordings can be transcribed: the setting says so, or the service, which is asked the first time the command is called. */
export interface Transcribing extends Disposable {
  /**
   * Tells whether the command may go on; else the user is told why.
   * @throws ServiceError `cancelled`
   */
  mayGoOn(endpoint: Endpoint): Promise<boolean>;
}

/** The menus have the command as long as nobody knows that the service has no such thing. */
export function createTranscribing({ client, connection, notices }: Services): Transcribing {
  const owned = new Disposables();

  async function update(): Promise<void> {
    const endpoint = await connection.endpoint('audio').catch(() => undefined);
    const known = endpoint && client.memory.transcriptions(endpoint.baseUrl, endpoint.model);
    const isMissing = readSetting('parley.audio.transcriptions') !== 'on' && known === false;
    await setContext(ContextKey.audioNoTranscriptions, isMissing);
  }

  owned.add(connection.onDidChange(() => void update()));
  owned.add(onSettingChange(['parley.audio.transcriptions'], () => void update()));
  void update();
  return {
    async mayGoOn(endpoint) {
      const setting = readSetting('parley.audio.transcriptions');
      if (setting === 'on') return true;
      const button = openSettings(l10n.t('Open Setting'), 'parley.audio.transcriptions');
      if (setting === 'off') {
        void notices.info(l10n.t('Transcribing is switched off in the settings.'), button);
        return false;
      }
      const title = l10n.t('Asking the service whether it transcribes…');
      const found = await withLateProgress(title, (signal) => client.transcribes(endpoint, signal));
      await update();
      // Where its answer says nothing about that, the recording will.
      if (found !== false) return true;
      void notices.warn(
        l10n.t(
          'The service at {0} has no audio/transcriptions, so it cannot say what is spoken in the language of the recording.',
          endpoint.baseUrl,
        ),
        button,
      );
      return false;
    },
    dispose: () => owned.dispose(),
  };
}

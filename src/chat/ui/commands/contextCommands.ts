import { type Disposable, l10n, Uri } from 'vscode';
import { registerCommand } from '../../../editor/commands.ts';
import { Disposables } from '../../../editor/disposables.ts';
import type { Notices } from '../../../editor/notices.ts';
import { window } from '../../../editor/text/window.ts';
import { Command } from '../../../ids/ids.ts';
import { addTerminal } from '../context/sources/contextSources.ts';
import type { Surfaces } from '../surfaces/surfaces.ts';

/** The commands that add something to the next question, from the menus of the explorer, of tabs and of terminals. */
export function registerContextCommands(notices: Notices, surfaces: Surfaces): Disposable {
  const owned = new Disposables();
  owned.add(
    registerCommand(Command.contextAdd, notices, async (chosen, all) => {
      const active = window.activeTextEditor?.document.uri;
      const uris = Array.isArray(all) ? all.filter((each) => each instanceof Uri) : [];
      const files = uris.length > 0 ? uris : chosen instanceof Uri ? [chosen] : active === undefined ? [] : [active];
      if (files.length === 0) {
        return void notices.warn(l10n.t('No file is open that could be added.'), {
          title: l10n.t('Open File'),
          command: 'workbench.action.quickOpen',
        });
      }
      const { adder, panel } = surfaces.active;
      // The panel comes first: its page is what scales an image.
      await panel.focus();
      await adder.addFiles(files);
    }),
  );
  owned.add(
    registerCommand(Command.contextAddTerminal, notices, async () => {
      const { adder, panel } = surfaces.active;
      await addTerminal(adder, notices);
      await panel.focus();
    }),
  );
  return owned;
}

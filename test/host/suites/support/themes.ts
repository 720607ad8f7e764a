import { workspace } from 'vscode';
import { screenshot, waitFor } from './hands.ts';

/** Themes of each kind, with the class that the window then has. */
const themes = {
  light: ['Default Light Modern', 'vs'],
  dark: ['Default Dark Modern', 'vs-dark'],
  'high-contrast': ['Default High Contrast', 'hc-black'],
} as const;
export type ThemeKind = keyof typeof themes;

/** Does something in each theme; the theme of the window is that of before afterwards. */
export async function inThemes(act: (kind: ThemeKind) => Promise<void>): Promise<void> {
  const use = (theme: string | undefined): Thenable<void> =>
    workspace.getConfiguration().update('workbench.colorTheme', theme, true);
  try {
    for (const [kind, [name, shown]] of Object.entries(themes) as [ThemeKind, readonly [string, string]][]) {
      await use(name);
      await waitFor(`.monaco-workbench.${shown}`);
      await act(kind);
    }
  } finally {
    await use(undefined);
  }
}

/** Takes a picture of the window in each theme. */
export const screenshotInThemes = (name: string): Promise<void> => inThemes((kind) => screenshot(`${name}-${kind}`));

import type { Page } from 'playwright-core';
import type { Demo } from '../demo.ts';

export interface Step {
  /** Names the picture. */
  readonly name: string;
  /** Whether it is looked at in narrow columns and in every theme, too: what it shows is in the chat. */
  readonly isInChat?: boolean;
  /** Whether a picture of the window is taken in every theme, too. */
  readonly isInThemes?: boolean;
  /** The part of the window that the picture is of, as a selector; default: all of it. */
  readonly shows?: string;
  act(page: Page, demo: Demo): Promise<void>;
}

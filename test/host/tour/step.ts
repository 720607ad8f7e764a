import type { Page } from 'playwright-core';
import type { Demo } from '../demo.ts';

export interface Step {
  /** Names the picture. */
  readonly name: string;
  /** Whether it is looked at in narrow columns and in every theme, too: what it shows is in the chat. */
  readonly isInChat?: boolean;
  act(page: Page, demo: Demo): Promise<void>;
}

import type { Page } from 'playwright-core';
import type { Demo } from '../demo.ts';

export interface Step {
  /** Names the picture. */
  readonly name: string;
  act(page: Page, demo: Demo): Promise<void>;
}

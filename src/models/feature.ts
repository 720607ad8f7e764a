import { type Disposable, lm } from 'vscode';
import { Disposables } from '../editor/disposables.ts';
import type { Services } from '../editor/services.ts';
import { languageModelVendor, Tool } from '../ids.ts';
import { createProvider } from './provider.ts';
import { createSearchTool } from './searchTool.ts';
import { createTranslateTool } from './translateTool.ts';

/** Parley inside VS Code's own AI surface: its models for every extension, and two tools for every agent. */
export function registerModels(services: Services): Disposable {
  const owned = new Disposables();
  const provider = owned.add(createProvider(services));
  owned.add(lm.registerLanguageModelChatProvider(languageModelVendor, provider));
  owned.add(lm.registerTool(Tool.searchCode, createSearchTool(services)));
  owned.add(lm.registerTool(Tool.translateAudio, createTranslateTool(services)));
  return owned;
}

import type { Disposable } from 'vscode';
import { Disposables } from '../editor/disposables.ts';
import type { Services } from '../editor/services.ts';
import { languageModelVendor, Tool } from '../ids/ids.ts';
import { createProvider } from './requests/provider.ts';
import { createProposeTool, type ToolReview } from './tools/proposeTool.ts';
import { createSearchTool, type ToolSearch } from './tools/searchTool.ts';
import { createTranslateTool } from './tools/translateTool.ts';

/** Parley inside VS Code's own AI surface: its models for every extension, and tools for every agent. */
export function registerModels(services: Services, search?: ToolSearch, review?: ToolReview): Disposable {
  const owned = new Disposables();
  const { give } = services;
  const provider = owned.add(createProvider(services));
  owned.add(give(languageModelVendor, provider));
  owned.add(give(Tool.searchCode, createSearchTool(search)));
  owned.add(give(Tool.proposeEdit, createProposeTool(review)));
  owned.add(give(Tool.translateAudio, createTranslateTool(services)));
  return owned;
}

import { type Disposable, EventEmitter, lm, McpStdioServerDefinition, workspace } from 'vscode';
import { Disposables } from '../../../editor/disposables.ts';
import { readSetting } from '../../../editor/settings.ts';
import { findObstacle, roots } from '../../../workspace/ui/folders.ts';
import type { LaunchTarget } from '../../registry/launcher.ts';

/** As `mcpServerDefinitionProviders` in package.json has it. */
const providerId = 'parley.codeSearch';

/**
 * Offers the code search as an MCP server to the agents of VS Code, where the setting wants it; the tool `parley_search_code` is not offered
 * then, as an agent would see the same twice.
 */
export function provideMcpServer({ node, script, version }: LaunchTarget): Disposable {
  const owned = new Disposables();
  const changed = owned.add(new EventEmitter<void>());
  owned.add(workspace.onDidChangeWorkspaceFolders(() => changed.fire()));
  owned.add(workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  owned.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('parley.search.mcpServer')) changed.fire();
    }),
  );
  owned.add(
    lm.registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        if (!readSetting('parley.search.mcpServer') || findObstacle() !== undefined) return [];
        // VS Code's own Node does it: `process.execPath` is the editor on a desktop, and plain Node in a remote.
        const environment = { ELECTRON_RUN_AS_NODE: '1' };
        return [
          new McpStdioServerDefinition('Parley Code Search', node, [script, 'mcp', ...roots()], environment, version),
        ];
      },
    }),
  );
  return owned;
}

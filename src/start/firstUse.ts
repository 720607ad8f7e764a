import {
  CodeActionKind,
  type CodeActionProvider,
  commands,
  Disposable,
  type DocumentFilter,
  EventEmitter,
  type ExtensionContext,
  type LanguageModelChatProvider,
  l10n,
  languages,
  lm,
} from 'vscode';
import { type AskedById, type Give, problemActions } from '../editor/services.ts';
import type { PlainTool } from '../editor/text/shown.ts';
import { type PlainSerializer, window } from '../editor/text/window.ts';
import { Command, conversationPanelType, languageModelVendor, Tool, transcriptPanelType, View } from '../ids/ids.ts';

/** Documents whose problems can be fixed: those that can be changed. */
const problemDocuments: readonly DocumentFilter[] = [
  { scheme: 'file' },
  { scheme: 'untitled' },
  { scheme: 'vscode-notebook-cell' },
  { scheme: 'vscode-vfs' },
];

/** What answers for an id, once all of Parley is loaded. Rejects where the part behind the id did not start. */
type Ask = <Id extends keyof AskedById>(id: Id) => Promise<AskedById[Id]>;

/**
 * Registers all that VS Code knows by an id. What is used first loads the code behind all of them.
 * @param load loads the code, and gives what starts it; called once
 * @returns loads and starts it without a use
 */
export function registerByIds(
  { subscriptions }: ExtensionContext,
  load: () => Promise<(give: Give) => void>,
): () => Promise<void> {
  const placeholders: Disposable[] = [];
  const given = new Map<keyof AskedById, unknown>();
  const modelsChanged = new EventEmitter<void>();
  const give: Give = (id, answering) => {
    given.set(id, answering);
    const models = id === languageModelVendor ? (answering as LanguageModelChatProvider) : undefined;
    const changes = models?.onDidChangeLanguageModelChatInformation?.(() => modelsChanged.fire());
    return new Disposable(() => {
      changes?.dispose();
      given.delete(id);
    });
  };

  let loading: Promise<void> | undefined;
  const startOnce = async (): Promise<void> => {
    const start = await load();
    // No turn may pass between these two: a command would be missing.
    Disposable.from(...placeholders).dispose();
    start(give);
  };
  const loadOnce = (): Promise<void> => {
    loading ??= startOnce();
    return loading;
  };
  const ask: Ask = async (id) => {
    await loadOnce();
    const answering = given.get(id) as AskedById[typeof id] | undefined;
    if (answering === undefined) throw new Error(l10n.t('This part of Parley did not start; its log says why.'));
    return answering;
  };

  placeholders.push(...Object.values(Command).map((id) => commandByName(id, loadOnce)));
  placeholders.push(
    ...[View.search, View.conversations, View.changes, View.translations].map((id) => emptyTree(id, loadOnce)),
  );
  subscriptions.push(Disposable.from(...placeholders), modelsChanged);
  subscriptions.push(...registerAnswering(ask, modelsChanged));
  return loadOnce;
}

/** A command that is run again once what it stands for is registered in its place. */
const commandByName = (id: string, load: () => Promise<void>): Disposable =>
  commands.registerCommand(id, async (...args: unknown[]) => {
    await load();
    return commands.executeCommand(id, ...args);
  });

/** A view that is asked for its rows is used. VS Code asks again once the view that has rows is registered. */
const emptyTree = (id: string, load: () => Promise<void>): Disposable =>
  window.createTreeView<never>(id, {
    treeDataProvider: {
      getChildren: async () => {
        await load();
        return [];
      },
      getTreeItem: (row) => row,
    },
  });

/** These stay: VS Code asks them, and they ask what was given. */
function registerAnswering(ask: Ask, modelsChanged: EventEmitter<void>): Disposable[] {
  const panel = (id: typeof conversationPanelType | typeof transcriptPanelType): PlainSerializer => ({
    deserializeWebviewPanel: async (page, state) => (await ask(id)).deserializeWebviewPanel(page, state),
  });
  const tool = (id: (typeof Tool)[keyof typeof Tool]): PlainTool<object> => ({
    invoke: async (options, token) => (await ask(id)).invoke(options, token),
    prepareInvocation: async (options, token) => (await ask(id)).prepareInvocation(options, token),
  });
  const models: LanguageModelChatProvider = {
    onDidChangeLanguageModelChatInformation: modelsChanged.event,
    provideLanguageModelChatInformation: async (options, token) =>
      (await ask(languageModelVendor)).provideLanguageModelChatInformation(options, token),
    provideLanguageModelChatResponse: async (...request) =>
      (await ask(languageModelVendor)).provideLanguageModelChatResponse(...request),
    provideTokenCount: async (...counted) => (await ask(languageModelVendor)).provideTokenCount(...counted),
  };
  const actions: CodeActionProvider = {
    async provideCodeActions(document, range, context, token) {
      if (context.only !== undefined && !context.only.contains(CodeActionKind.QuickFix)) return [];
      if (context.diagnostics.length === 0) return [];
      return (await ask(problemActions)).provideCodeActions(document, range, context, token);
    },
  };
  return [
    window.registerWebviewViewProvider(View.chat, {
      resolveWebviewView: async (...view) => (await ask(View.chat)).resolveWebviewView(...view),
    }),
    window.registerWebviewPanelSerializer(conversationPanelType, panel(conversationPanelType)),
    window.registerWebviewPanelSerializer(transcriptPanelType, panel(transcriptPanelType)),
    lm.registerLanguageModelChatProvider(languageModelVendor, models),
    ...Object.values(Tool).map((id) => lm.registerTool(id, tool(id))),
    languages.registerCodeActionsProvider(problemDocuments, actions, {
      providedCodeActionKinds: [CodeActionKind.QuickFix],
    }),
  ];
}

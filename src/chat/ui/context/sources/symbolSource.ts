import {
  commands,
  DocumentSymbol,
  l10n,
  type Range,
  type SymbolInformation,
  SymbolKind,
  type Uri,
  workspace,
} from 'vscode';
import { systemClock } from '../../../../base/clock.ts';
import type { CompletionItem, CompletionSource } from '../../../context/completionSources.ts';
import type { ContextAdder } from '../contextAdder.ts';
import { step, withinStep } from './steps.ts';

/** The most symbols among other choices, and of the step of their own; the least letters that are looked for among others. */
const [mostAmongOthers, mostOfStep, leastLetters] = [6, 50, 3];
/** Time that other choices wait for language tools, in milliseconds. */
const patienceMs = 400;

/** `@symbol:` and symbols of the workspace whose names are typed at once. Language tools that are slow hold up only their step. */
export function createSymbolSource(adder: ContextAdder): CompletionSource {
  const item = ({ name, kind, containerName, location }: SymbolInformation): CompletionItem => ({
    label: name,
    detail: [containerName, workspace.asRelativePath(location.uri)].filter(Boolean).join(' · '),
    icon: iconOf(kind),
    words: shortName(name),
    async choose() {
      const range = await wholeRange(location.uri, name, location.range);
      await adder.addLines(location.uri, range, shortName(name));
    },
  });
  return {
    trigger: '@',
    async find(text, signal) {
      const named = withinStep(text, 'symbol:');
      if (named !== undefined) return named === '' ? [] : (await find(named)).slice(0, mostOfStep).map(item);
      const steps = step(text, 'symbol:', l10n.t('A function, class or other symbol'), 'symbol-class');
      if (text.length < leastLetters || /[:/.]/.test(text)) return steps;
      const late = systemClock.sleep(patienceMs, signal).then(
        () => [],
        () => [],
      );
      const found = await Promise.race([find(text), late]);
      return [...steps, ...found.slice(0, mostAmongOthers).map(item)];
    },
  };
}

/** Without the parameters, which some language tools add. */
const shortName = (name: string): string => name.replace(/\(.*$/, '');

async function find(name: string): Promise<SymbolInformation[]> {
  const found = await commands.executeCommand<SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    name,
  );
  return (found ?? []).filter(({ location }) => location.uri.scheme !== 'output');
}

/** The lines of the whole symbol: of some languages the search gives its name alone. */
async function wholeRange(uri: Uri, name: string, named: Range): Promise<Range> {
  const symbols = await commands
    .executeCommand<(DocumentSymbol | SymbolInformation)[] | undefined>('vscode.executeDocumentSymbolProvider', uri)
    .then(undefined, () => undefined);
  let best = named;
  const look = (list: readonly DocumentSymbol[]): void => {
    for (const symbol of list) {
      if (!symbol.range.contains(named)) continue;
      if (symbol.name === name || symbol.selectionRange.contains(named.start)) best = symbol.range;
      look(symbol.children);
    }
  };
  look((symbols ?? []).filter((symbol) => symbol instanceof DocumentSymbol));
  return best;
}

function iconOf(kind: SymbolKind): string {
  const name = SymbolKind[kind]?.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
  return name === undefined ? 'symbol-misc' : `symbol-${name}`;
}

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const sources = globSync('src/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

/** The files that hand texts to VS Code, which make them plain or have types that ask for plain ones. */
const showing = new Set([
  'src/editor/text/plainText.ts',
  'src/editor/text/window.ts',
  'src/editor/text/shown.ts',
  'src/editor/text/proposed.ts',
  'src/editor/text/comments.ts',
]);

/** What of VS Code shows no text of ours, or shows it only by way of the files above. Add what you have looked at. */
const showsNothing = new Set(
  [
    ['CancellationError', 'CancellationToken', 'ColorThemeKind', 'ConfigurationTarget', 'Disposable', 'EndOfLine'],
    // The type of an action is not named here: each is made by `quickFix`, which is plain.
    ['CodeActionProvider', 'DocumentFilter'],
    ['CodeActionKind', 'DataTransfer', 'DiagnosticSeverity', 'RelativePattern', 'UIKind', 'WorkspaceFolder'],
    ['Event', 'EventEmitter', 'ExtensionContext', 'FilePermission', 'FileType', 'LanguageModelChatMessageRole'],
    // The message of such an error is plain (chat/ui/configuration/documentKinds.ts, audio/ui/transcript/transcriptDocuments.ts).
    ['FileChangeEvent', 'FileChangeType', 'FileRenameEvent', 'FileStat', 'FileSystemError', 'FileSystemProvider'],
    ['LanguageModelChatProvider', 'LanguageModelChatRequestMessage', 'LanguageModelChatToolMode'],
    ['LanguageModelDataPart', 'LanguageModelPromptTsxPart', 'LanguageModelTextPart', 'LanguageModelToolCallPart'],
    [
      'LanguageModelResponsePart',
      'LanguageModelToolResult',
      'LanguageModelToolResultPart',
      'LogOutputChannel',
      // Its one label is ours, and the version a number.
      'McpStdioServerDefinition',
      'Memento',
      'NotebookDocument',
      'OverviewRulerLane',
    ],
    [
      'Position',
      'PrepareLanguageModelChatModelOptions',
      'ProvideLanguageModelChatResponseOptions',
      'Progress',
      'ProgressLocation',
      'QuickInputButtons',
    ],
    ['QuickPickItemKind', 'Range', 'Selection', 'StatusBarAlignment', 'Tab', 'TabInputCustom', 'TabInputText'],
    [
      'TextDocument',
      'TextDocumentChangeReason',
      'TextDocumentChangeEvent',
      'TextDocumentContentChangeEvent',
      'TextDocumentShowOptions',
      'TextEdit',
      'TextEditor',
      'TextEditorDecorationType',
    ],
    [
      'TextEditorRevealType',
      'Terminal',
      'ThemeColor',
      'ThemeIcon',
      'TreeDataProvider',
      'TreeItemCollapsibleState',
      'Uri',
    ],
    ['ViewColumn', 'Webview', 'WorkspaceEdit', 'env', 'l10n', 'languages', 'lm', 'workspace'],
    // Its commands open editors and views.
    ['commands'],
    // What language tools and disks say: it is read, and none is made here.
    ['Diagnostic', 'DiagnosticSeverity', 'DocumentSymbol', 'FileStat', 'SymbolInformation', 'SymbolKind'],
    // Its message is a sentence of `errorText`, which is plain.
    ['LanguageModelError'],
    // What is put into the box for a commit message is without invisible characters (scm/ui/commit/requestMessage.ts).
    ['extensions'],
    // Items become plain where they are shown; buttons have titles of ours.
    ['QuickInput', 'QuickInputButton', 'QuickPickItem'],
    // Pages have ways of their own (test/ui, test/attack); the titles of panels are plain by `createWebviewPanel`.
    ['WebviewPanel', 'WebviewView', 'WebviewViewProvider'],
  ].flat(),
);

function namesFromVscode(text: string): string[] {
  const imports = text.matchAll(/import (?:type )?\{([^}]*)\} from 'vscode'/g);
  return [...imports].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter(Boolean),
  );
}

/** Lines of the other files near VS Code that match, with their files. */
function linesOf(pattern: RegExp): string[] {
  return sources
    .filter(({ file }) => /^src\/(extension|editor|models|\w+\/ui\/)/.test(file) && !showing.has(file))
    .flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([line]) => `${file}: ${line.trim()}`));
}

describe('a text that VS Code shows', () => {
  test('goes through the one place that makes it plain', () => {
    const around = sources
      .filter(({ file }) => !showing.has(file))
      .flatMap(({ file, text }) =>
        namesFromVscode(text)
          .filter((name) => !showsNothing.has(name))
          .map((name) => `${file}: ${name}`),
      );
    assert.deepEqual(around, []);
    assert.ok(sources.some(({ text }) => text.includes("from '../../editor/text/window.ts'")));
  });

  test('cannot come from VS Code by another way of importing it', () => {
    assert.deepEqual(linesOf(/import (?:type )?(?:\* as )?\w+ from 'vscode'|(?:import|require)\('vscode'\)/g), []);
  });

  test('is called plain by nothing but the one place', () => {
    assert.deepEqual(
      linesOf(/as (?:unknown as )?Plain\w*\b|\bas (?:any|never|unknown as)\b|@ts-(?:ignore|nocheck)/g),
      [],
    );
  });

  test('is set where the compiler looks: not by Object.assign', () => {
    assert.deepEqual(
      linesOf(
        /Object\.assign\([^)]*\b(?:title|prompt|placeholder|label|description|detail|tooltip|message|text)\b[^)]*\)/g,
      ),
      [],
    );
  });

  test('is plain in the title of an editor and in what VS Code draws beside a line', () => {
    assert.deepEqual(linesOf(/'vscode\.diff'(?!.*plain\().*/g), []);
    assert.deepEqual(linesOf(/contentText(?!: plain\().*/g), []);
  });

  test('is Markdown only by the functions that escape it', () => {
    assert.deepEqual(linesOf(/\bMarkdownString\b|isTrusted\s*[:=]\s*true|supportHtml|supportThemeIcons/g), []);
  });
});

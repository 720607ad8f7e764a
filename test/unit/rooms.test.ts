import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.ts', { cwd: root });

/** The modules a file imports: paths from the root for its own, names for packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g,
  );
  return [...found]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name));
}
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const roomOf = (file: string): string => file.split('/')[1] ?? '';
const features = ['chat', 'edits', 'search', 'scm', 'audio', 'models', 'connect'];
const mayImportVscode = /^src\/(extension\.ts|start\/|editor\/|models\/|[a-z]+\/ui\/)/;

/** The rooms within a room, and files beside them, the lowest first. */
const orders: Readonly<Record<string, readonly string[]>> = {
  'src/service': [
    ...['apiKey', 'endpoint', 'fieldChecks', 'request', 'whisperCpp'],
    ...['errors', 'network', 'compat', 'answers', 'transport'],
    ...['chat', 'embeddings', 'audio', 'models', 'client'],
  ],
  'src/search': [
    ...['types', 'letters', 'vectors', 'chunker', 'store', 'team', 'embedding'],
    ...['query', 'indexing', 'engine', 'worker'],
    ...['registry', 'mcp', 'cli', 'ui'],
  ],
  'src/search/store': [
    ...['storageError', 'transaction', 'inSlices', 'rows', 'stem', 'words', 'wordIndex', 'findDefining'],
    ...['refusedTexts', 'schema', 'spaces', 'files', 'textScan', 'indexContents', 'peek', 'store'],
  ],
  'src/workspace': [
    ...['glob', 'readRuleFile', 'readRegular', 'ignoreRules', 'ignoreFiles', 'walk', 'secrets', 'exclusions'],
    ...['git', 'fileFilter', 'fileList', 'workspaceFiles', 'ui'],
  ],
  'src/search/ui': ['shared', 'index', 'share', 'results', 'query', 'agents', 'feature'],
};

/** What a room within shows to the others; whatever else is in it is its own. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'src/service/errors': ['errorBody', 'errorFromAnswer', 'htmlPage', 'networkError', 'rateLimits', 'scrub'],
  'src/service/network': [
    ...['networkPath', 'pathChoice', 'certificates'],
    ...['connector', 'decompress', 'directPath', 'editorPath', 'tellSent'],
  ],
  'src/service/compat': ['fieldMemory', 'refusedField', 'adjust', 'thoughtsRefusal'],
  'src/service/answers': ['readAnswer', 'jsonBuilder', 'jsonReader', 'schemas', 'usage'],
  'src/service/transport': ['transport'],
  'src/service/chat': ['chat', 'chatRequest', 'completion', 'sentThoughts'],
  'src/service/chat/thoughts': ['thinking'],
  'src/service/chat/calls': ['calledInText', 'choiceCalls', 'textCalls'],
  'src/service/embeddings': ['embeddings'],
  'src/service/audio': ['audio'],
  'src/service/models': ['models'],
  'src/search/letters': ['asciiWords', 'compounds', 'foldLetters', 'questionWords', 'unspaced'],
  'src/search/vectors': ['nearest', 'quantise', 'rowCodec', 'vectorFiles'],
  'src/workspace/glob': ['glob', 'globSegment'],
  'src/workspace/git': ['git', 'gitAttributes', 'gitChanged', 'gitDiff', 'gitRemotes', 'quotedName', 'repositories'],
  'src/workspace/ui': ['createWorkspaceFiles', 'folders'],
  'src/search/chunker': ['chunker', 'outline', 'size'],
  'src/search/chunker/names': ['nameFinders', 'treeNames'],
  'src/search/store': [
    ...['store', 'indexContents', 'peek', 'rows', 'storageError', 'transaction'],
    ...[
      'stem',
      'textScan',
      'wordIndex',
      'words',
      'files/checkIndex',
      'files/chunkReader',
      'files/fileWriter',
      'schema/inUse',
      'spaces/vectorCounts',
    ],
  ],
  'src/search/store/schema': ['database', 'inUse', 'vectorSchema'],
  'src/search/store/spaces': ['spaces', 'vectorCounts'],
  'src/search/store/files': [
    'checkIndex',
    'chunkReader',
    'fileReader',
    'fileWriter',
    'soundChunks',
    'textPlaces',
    'wholeFiles',
  ],
  'src/search/embedding': [...['embedMissing', 'embeddingModel', 'vectorCache'], ...['budget', 'ledger', 'retries']],
  'src/search/query': [
    'findByMeaning',
    'finder',
    'ranking',
    'query',
    'hitsByFile',
    'queryTerms',
    'matches',
    ...['filter/findHolding', 'filter/languages', 'filter/parseQuery', 'filter/pathFilter', 'filter/queryFilter'],
    'filter/textRule',
  ],
  'src/search/indexing': ['scan', 'examiner', 'examinerProcess', 'explainFile'],
  'src/search/engine': [
    ...[
      'build',
      'engineApi',
      'filesBehind',
      'meaningShare',
      'readAhead',
      'search',
      'staleFiles',
      'status',
      'storeLifecycle',
    ],
  ],
  'src/search/team': [
    ...['indexStore', 'indexStoreError', 'repositoryName', 'teamIndex', 'teamStore'],
    ...['sharedFile/fetchSharedFile', 'sharedFile/readSharedFile', 'sharedFile/sharedLayout'],
    ...['sharedFile/sharedPlaces', 'sharedFile/shareVectors'],
  ],
  'src/search/team/sharedFile': ['fetchSharedFile', 'readSharedFile', 'sharedLayout', 'sharedPlaces', 'shareVectors'],
  'src/search/ui/share': ['shareCommands'],
  'src/search/worker': ['searchClient', 'worker'],
  'src/search/registry': [
    ...[
      'askedFolders',
      'dataFolder',
      'folderIndex',
      'indexRecord',
      'indexRegistry',
      'launcher',
      'questionServer',
      'windowModel',
      'windows',
    ],
  ],
  'src/search/mcp': ['serve', 'agentHosts', 'configEntry'],
  'src/search/ui/shared': ['filters', 'indexPresence', 'openFiles', 'sentences', 'state', 'teamStoreSetting'],
  'src/search/ui/index': [
    'indexFeature',
    'indexCommand',
    'indexScope',
    'runSearch',
    'searchIndex',
    'watchFiles',
    'why',
  ],
  'src/search/ui/index/sending': ['allowedModels', 'consent', 'embeddingService'],
  'src/search/ui/results': ['keptHits', 'resultCommands', 'resultsView', 'hitMarks'],
  'src/search/ui/query': ['queries', 'queryCommand', 'similar'],
  'src/search/ui/agents': ['agentsFeature'],
};

/** What the rest of Parley may import of `service`, and what is there: ten files at most. */
const serviceDoors: Readonly<Record<string, string>> = {
  client: 'chat, embed, translate and listModels of one service',
  endpoint: 'a service, its key and its model; addresses',
  apiKey: 'a key that is shown to nobody',
  'chat/chatRequest': 'what is asked: messages, tools, fields',
  'chat/completion': 'what is answered: events, usage, declined',
  'chat/sentThoughts': 'what a model thought, as it is given back',
  'compat/fieldMemory': 'what a service was found to refuse',
  'audio/audio': 'a recording, and its translation',
  'models/models': 'listed models: what they are for, what they can do',
  'transport/transport': 'how a request is sent: transport, gate, certificates',
};

/** The names in braces that a file imports from a module. */
function namesFrom(file: string, imported: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = [...text.matchAll(/\bimport\s(?:type\s)?\{([^}]*)\}\s*from\s*'([^']+)'/g)];
  return statements
    .filter(([, , path = '']) => relative(root, join(root, dirname(file), path)) === imported)
    .flatMap(([, names = '']) => [...names.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g)])
    .map(([, name = '']) => name);
}

/** The door that exports a name; undefined when none does. */
function serviceDoorOf(name: string): string | undefined {
  const declared = new RegExp(`\\bexport (?:async )?(?:type|interface|function|class|const) ${name}\\b`);
  const passedOn = new RegExp(`\\bexport (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\}`);
  return Object.keys(serviceDoors)
    .map((door) => `src/service/${door}.ts`)
    .find((door) => {
      const text = readFileSync(join(root, door), 'utf8');
      return declared.test(text) || passedOn.test(text);
    });
}

/** Where an import that goes past the doors should point. */
function wayIn(names: readonly string[]): string {
  const found = names.map((name) => [name, serviceDoorOf(name)] as const);
  const ways = found.flatMap(([name, door]) => (door === undefined ? [] : [`${name} is at ${door}`]));
  const lost = found.flatMap(([name, door]) => (door === undefined ? [name] : []));
  if (ways.length > 0 && lost.length === 0) return ways.join(', ');
  const all = Object.entries(serviceDoors).map(([door, what]) => `\n  src/service/${door}.ts: ${what}`);
  return [...ways, `export ${lost.join(', ') || 'it'} from the door where it belongs:${all.join('')}`].join(', ');
}

/** Exports that nobody imports, each to lose its `export`, or to go. */
const idleExports = [
  'src/audio/prompt/glossary.ts: glossaryFile',
  'src/audio/quality/qualityFlags.ts: thresholds',
  'src/audio/recording/findRecordings.ts: mostFound',
  'src/audio/split/pcm/loudness.ts: blockSeconds',
  'src/audio/ui/transcript/panel/panelMessages.ts: describe',
  'src/audio/ui/transcript/qualityChecks.ts: reasonText',
  'src/audio/ui/transcript/transcriptDocuments.ts: problemText',
  'src/audio/ui/transcript/transcriptDocuments.ts: transcriptScheme',
  'src/audio/ui/translate/recordingWork.ts: glossaryOf',
  'src/audio/ui/translate/recordingWork.ts: readOptions',
  'src/edits/place/elisions.ts: openBrackets',
  'src/edits/place/mergeBlock.ts: pairLines',
  'src/scm/findings/splitReview.ts: mostRequests',
  'src/scm/findings/splitReview.ts: requestTokens',
];

/** The names that are imported or passed on, of files in src and test, each after its file; `*` for all of one. */
function importedNames(): Set<string> {
  const exclude = ['test/bench/node_modules/**', 'test/fixtures/**'];
  const names = new Set<string>();
  for (const file of globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude })) {
    const text = readFileSync(join(root, file), 'utf8');
    const statements = text.matchAll(
      /(?:\{([^{}]*)\}|\* as \w+)\s*(?:from|=\s*await import\()\s*'(\.[^']+)'|\bimport\('(\.[^']+)'\)\)\.(\w+)/g,
    );
    for (const [, list, path, loaded, member = ''] of statements) {
      const target = relative(root, join(root, dirname(file), path ?? loaded ?? ''));
      for (const item of (list ?? member).split(',')) {
        const [, name = '*'] = /^\s*(?:type\s+)?(\w+)/.exec(item) ?? [];
        names.add(`${target}: ${name}`);
      }
    }
  }
  return names;
}

/** The part of a house that a file belongs to: the folder in it, or the name of the file. */
function partOf(house: string, file: string): string | undefined {
  return file.startsWith(`${house}/`)
    ? file
        .slice(house.length + 1)
        .split('/')[0]
        ?.replace(/\.ts$/, '')
    : undefined;
}

/** The parts of a house that are in a circle of imports, or between two; a file and the folder of its name are one part. */
function circleIn(house: string): string[] {
  const arrows = [...imports].flatMap(([file, list]) =>
    list.flatMap((name) => {
      const [from, to] = [partOf(house, file), partOf(house, name)];
      return from === undefined || to === undefined || from === to ? [] : [[from, to] as const];
    }),
  );
  let left = arrows;
  for (let size = Number.POSITIVE_INFINITY; left.length < size; ) {
    size = left.length;
    const [from, to] = [new Set(left.map(([part]) => part)), new Set(left.map(([, part]) => part))];
    left = left.filter(([start, end]) => to.has(start) && from.has(end));
  }
  return [...new Set(left.flat())].sort();
}

/** Pairs of file and import that break a rule; the message of the assertion lists them. */
function offences(breaks: (file: string, imported: string) => boolean): string[] {
  return [...imports].flatMap(([file, list]) =>
    list.filter((name) => breaks(file, name)).map((name) => `${file} → ${name}`),
  );
}

describe('the rooms', () => {
  test('are all looked at', () => {
    assert.ok(files.length > 30);
    assert.ok([...imports.values()].flat().includes('vscode'));
  });

  test('vscode is imported only by the entry, start, editor, models and the ui folders', () => {
    assert.deepEqual(
      offences((file, name) => name === 'vscode' && !mayImportVscode.test(file)),
      [],
    );
  });

  test('a pure room does not reach vscode through editor or a ui folder', () => {
    assert.deepEqual(
      offences(
        (file, name) => !mayImportVscode.test(file) && (/^src\/editor\//.test(name) || /^src\/\w+\/ui\//.test(name)),
      ),
      [],
    );
  });

  test('imports point down: no feature imports another, editor, service, syntax and workspace import no feature, base imports nothing of ours', () => {
    assert.deepEqual(
      offences((file, name) => {
        if (!name.startsWith('src/') || roomOf(file) === 'start') return false;
        const [from, to] = [roomOf(file), roomOf(name)];
        return features.includes(to) && from !== to;
      }),
      [],
    );
    assert.deepEqual(
      offences(
        (file, name) =>
          roomOf(file) === 'service' && name.startsWith('src/') && !['service', 'base'].includes(roomOf(name)),
      ),
      [],
    );
    assert.deepEqual(
      offences(
        (file, name) =>
          roomOf(file) === 'syntax' && name.startsWith('src/') && !['syntax', 'base'].includes(roomOf(name)),
      ),
      [],
    );
    assert.deepEqual(
      offences((file, name) => roomOf(file) === 'editor' && ['syntax', 'workspace'].includes(roomOf(name))),
      [],
    );
    assert.deepEqual(
      offences((file, name) => roomOf(file) === 'base' && name.startsWith('src/') && roomOf(name) !== 'base'),
      [],
    );
  });

  test('the rooms within service and search are in order: a file imports what is below its own room', () => {
    const found = [...imports].flatMap(([file, list]) =>
      Object.entries(orders).flatMap(([house, order]) => {
        const from = order.indexOf(partOf(house, file) ?? '');
        return list.flatMap((name) => {
          const part = partOf(house, name);
          if (from < 0 || part === undefined) return [];
          const to = order.indexOf(part);
          if (to < 0) return [`${house}/${part} is in no order: give it a place in rooms.test.ts`];
          return to > from ? [`${file} → ${name} points up: ${part} is above ${order[from]}`] : [];
        });
      }),
    );
    assert.deepEqual([...new Set(found)], []);
  });

  test('each room within is in the order, and has a door for whoever is outside', () => {
    const found = [...imports].flatMap(([file, list]) =>
      list.flatMap((name) => {
        // Of a room within a room both doors are gone through.
        const entered = Object.keys(doors).filter(
          (each) => name.startsWith(`${each}/`) && !file.startsWith(`${each}/`),
        );
        return entered.flatMap((room) => {
          const shown = doors[room]?.map((door) => `${room}/${door}.ts`) ?? [];
          return shown.includes(name) ? [] : [`${file} → ${name}: ${room} shows only ${shown.join(', ')}`];
        });
      }),
    );
    assert.deepEqual(found, []);
    const rooms = Object.entries(orders).flatMap(([house, order]) => order.map((part) => `${house}/${part}`));
    const open = rooms.filter((room) => files.some((file) => file.startsWith(`${room}/`)) && !(room in doors));
    // Nobody imports what runs as a program of its own.
    assert.deepEqual(open, ['src/search/cli', 'src/search/ui']);
  });

  test('a door that nobody outside comes by is none', () => {
    const used = new Set(
      [...imports].flatMap(([file, list]) => list.filter((name) => dirname(name) !== dirname(file))),
    );
    const idle = Object.entries(doors).flatMap(([room, shown]) =>
      shown.map((door) => `${room}/${door}.ts`).filter((file) => !used.has(file)),
    );
    assert.deepEqual(idle, []);
  });

  test('the rest of Parley comes into service by its doors, and there are ten at most', () => {
    const shown = Object.keys(serviceDoors).map((door) => `src/service/${door}.ts`);
    const past = [...imports].flatMap(([file, list]) =>
      list
        .filter((name) => roomOf(name) === 'service' && roomOf(file) !== 'service' && !shown.includes(name))
        .map((name) => `${file} → ${name}: ${wayIn(namesFrom(file, name))}`),
    );
    assert.deepEqual(past, []);
    const outside = [...imports].filter(([file]) => roomOf(file) !== 'service').flatMap(([, list]) => list);
    const idle = shown.filter((door) => !outside.includes(door));
    assert.deepEqual(idle, [], 'a door that nobody outside comes by is none');
    assert.ok(shown.length <= 10);
    assert.equal(wayIn(['Translation']), 'Translation is at src/service/audio/audio.ts');
    assert.match(
      wayIn(['embed']),
      /^export embed from the door where it belongs:\n {2}src\/service\/client\.ts: chat, embed/,
    );
  });

  test('no files import each other in a circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
      if (at >= 0 || done.has(file)) return;
      for (const name of imports.get(file) ?? []) visit(name, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(circles, []);
  });

  test('no rooms beside each other reach each other in a circle', () => {
    const houses = [...imports.keys()]
      .flatMap((file) =>
        file
          .split('/')
          .slice(0, -1)
          .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
      )
      .filter((house, index, all) => all.indexOf(house) === index);
    const found = houses.map((house) => ({ house, circle: circleIn(house) }));
    assert.deepEqual(
      found.filter(({ circle }) => circle.length > 0).map(({ house, circle }) => `${house}: ${circle.join(', ')}`),
      [],
    );
  });

  test('api.ts stands alone, so that it can be copied', () => {
    assert.deepEqual(imports.get('src/editor/api.ts'), ['vscode']);
    assert.match(readFileSync(join(root, 'src/editor/api.ts'), 'utf8'), /\nimport type \{ Uri \} from 'vscode';/);
  });

  test('webview and host share one room, which imports nothing from outside it', () => {
    const isShared = (name: string): boolean => name.startsWith('src/webview/shared/');
    assert.deepEqual(
      offences((file, name) => {
        if (isShared(file)) return !isShared(name);
        if (!name.startsWith('src/')) return false;
        if (roomOf(file) === 'webview') return roomOf(name) !== 'webview';
        return roomOf(name) === 'webview' && !isShared(name);
      }),
      [],
    );
  });

  test('the webview bundle holds neither Node nor zod nor undici', () => {
    assert.deepEqual(
      offences((file, name) => roomOf(file) === 'webview' && /^(node:|zod|undici|vscode$)/.test(name)),
      [],
    );
  });

  test('the one-guess test names files that are there, for 112 tasks', () => {
    const rows = readFileSync(join(root, 'test/rooms/one-guess.md'), 'utf8').matchAll(
      /^\| \d+ \| [^|]+ \| ([^|]+) \|$/gm,
    );
    const answers = [...rows].map(([, where = '']) => where.trim().split(', '));
    assert.equal(answers.length, 112);
    const gone = answers.flat().filter((file) => !files.includes(`src/${file}`));
    assert.deepEqual(gone, []);
  });

  test('each folder of src and of test is on the map', () => {
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, map = ''] = guide.split('```\n', 2);
    const [, ofSource = '', ofTests = ''] = /^src\/\n([\s\S]*?)^test\/\n([\s\S]*?)^docs\//m.exec(map) ?? [];
    /** What the map says of a room: its line, and those below that stand further in. */
    const saidOf = (room: string): string => new RegExp(`^  ${room}/.*\n(?: {3,}.*\n)*`, 'm').exec(ofSource)?.[0] ?? '';
    const folders = [...new Set(files.map((file) => dirname(file)))].filter((folder) => folder !== 'src');
    const lost = folders.filter((folder) => !new RegExp(`\\b${basename(folder)}/`).test(saidOf(roomOf(folder))));
    assert.deepEqual(lost, []);
    const ofTest = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(
      ofTest.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}/`).test(ofTests)),
      [],
    );
  });

  test('a function or constant is exported only where somebody imports it', () => {
    const imported = importedNames();
    // Whoever loads a bundle knows the names of its entry.
    const modules = files.filter((file) => file !== 'src/extension.ts' && basename(file) !== 'main.ts');
    const idle = modules.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)]
        .map(([, name]) => `${file}: ${name}`)
        .filter((name) => !imported.has(name) && !imported.has(`${file}: *`)),
    );
    assert.deepEqual(
      idle.filter((name) => !idleExports.includes(name)),
      [],
    );
  });

  test('a name stands for one thing: no two files, and no two exported types, share one', () => {
    const sharedBy = (entries: readonly (readonly [name: string, file: string])[]): string[] => {
      const places = new Map<string, string[]>();
      for (const [name, file] of entries) places.set(name, [...(places.get(name) ?? []), file]);
      return [...places].filter(([, all]) => all.length > 1).map(([name, all]) => `${name}: ${all.join(', ')}`);
    };
    // The same thing in each room: its entry, what it registers, and what its page may send.
    const sameThing = ['main.ts', 'feature.ts', 'panelMessages.ts'];
    const names = files.map((file) => [file.split('/').at(-1) ?? '', file] as const);
    assert.deepEqual(sharedBy(names.filter(([name]) => !sameThing.includes(name))), []);
    // api.ts stands alone, to be copied.
    const types = files
      .filter((file) => file !== 'src/editor/api.ts')
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(
          ([, name = '']) => [name, file] as const,
        ),
      );
    assert.deepEqual(sharedBy(types), []);
  });

  test('no room is so wide that one has to search it', () => {
    const width = new Map<string, Set<string>>();
    for (const file of files) {
      const parts = file.split('/');
      for (let depth = 1; depth < parts.length; depth++) {
        const room = parts.slice(0, depth).join('/');
        width.set(room, (width.get(room) ?? new Set()).add(parts[depth] ?? ''));
      }
    }
    const wide = [...width].filter(([, entries]) => entries.size > 16).map(([room, { size }]) => `${room}: ${size}`);
    assert.deepEqual(wide, []);
  });

  test('no file is longer than 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    assert.deepEqual(long, []);
  });
});

import { Uri, workspace } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { readSetting } from '../../../editor/settings.ts';
import type { AudioUpload } from '../../../service/audio/audio.ts';
import type { Adjustment } from '../../../service/compat/fieldMemory.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import { openSplit } from '../../jobs/openSplit.ts';
import { createServiceWait } from '../../jobs/serviceWait.ts';
import type { UploadLimit } from '../../jobs/translatePieces.ts';
import type { RecordingWork } from '../../jobs/translateRecording.ts';
import { mergePieces } from '../../merge/mergePieces.ts';
import { readGlossary } from '../../prompt/glossary.ts';
import { buildTranslationPrompt } from '../../prompt/translationPrompt.ts';
import type { AudioParts } from '../audioServices.ts';

/** Pieces of one recording that are on their way at once. The service's own limits hold them back further. */
const mostParallel = 3;

/** How recordings are sent, as the settings say now; the user is told what the service refused. */
export function workFor(endpoint: Endpoint, { services, pieces, splitter }: AudioParts): RecordingWork {
  const { client, notices } = services;
  const options = readOptions();
  const inOrder = readSetting('parley.audio.carryOver');
  const glossaryOf = glossaries();
  const onAdjusted = (adjustment: Adjustment): void => void notices.info(adjustmentText(adjustment));
  return {
    store: pieces,
    limit: uploadLimit(endpoint, services),
    wait: createServiceWait(systemClock),
    request: { baseUrl: endpoint.baseUrl, model: endpoint.model, options: { ...options } },
    parallel: inOrder ? 1 : mostParallel,
    promptFor: async ({ path }) =>
      buildTranslationPrompt({ instruction: options.prompt, glossary: await glossaryOf(path) }),
    carryOver: (prompt, before) =>
      buildTranslationPrompt({ instruction: prompt, glossary: [], before: before.at(-1)?.translation }).prompt,
    send: ({ path, contentType, prompt }, signal, events) =>
      client.translate(endpoint, { ...options, path, contentType, prompt }, signal, { onAdjusted, ...events }),
    openSplit: (recording, signal) => openSplit(splitter, recording, signal),
    merge: mergePieces,
    now: Date.now,
  };
}

/**
 * The terms of the folder in the workspace that a recording is in; of the only folder, where it is in none. Each glossary is read once.
 */
function glossaries(): (path: string) => Promise<string[]> {
  const read = new Map<string, Promise<string[]>>();
  return async (path) => {
    const { workspaceFolders = [] } = workspace;
    const only = workspaceFolders.length === 1 ? workspaceFolders[0] : undefined;
    const uri = (workspace.getWorkspaceFolder(Uri.file(path)) ?? only)?.uri;
    if (uri?.scheme !== 'file') return [];
    const terms = read.get(uri.fsPath) ?? readGlossary(uri.fsPath);
    read.set(uri.fsPath, terms);
    return terms;
  };
}

/** The setting, or less where the service has refused less. */
function uploadLimit({ baseUrl, model }: Endpoint, { client: { memory } }: AudioParts['services']): UploadLimit {
  return {
    get bytes() {
      const megabytes = Number(readSetting('parley.audio.uploadLimit'));
      const set = (megabytes >= 1 && megabytes <= 4096 ? megabytes : 25) * 1024 ** 2;
      return Math.min(set, memory.uploadLimit(baseUrl, model) ?? set);
    },
    learn: (bytes) => memory.setUploadLimit(baseUrl, model, bytes),
  };
}

/** What is sent beside the recording. */
export function readOptions(): Omit<AudioUpload, 'path' | 'contentType'> {
  return {
    prompt: readSetting('parley.audio.prompt'),
    responseFormat: readSetting('parley.audio.responseFormat'),
    temperature: readSetting('parley.audio.temperature'),
    fileField: readSetting('parley.audio.fileField').trim() || 'file',
    extraFields: readSetting('parley.audio.extraFields'),
  };
}

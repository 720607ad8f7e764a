import { l10n, workspace } from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { adjustmentText } from '../../../editor/sentences/adjustmentText.ts';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import { isSettingSet, readSetting } from '../../../editor/settings.ts';
import type { AudioUpload } from '../../../service/audio/audio.ts';
import type { Adjustment } from '../../../service/compat/fieldMemory.ts';
import type { Endpoint } from '../../../service/endpoint.ts';
import { openSplit } from '../../jobs/openSplit.ts';
import type { RecordingWork } from '../../jobs/sending/sendingWork.ts';
import { createServiceWait } from '../../jobs/serviceWait.ts';
import { proveSoundAlone } from '../../jobs/soundAlone.ts';
import type { UploadLimit } from '../../jobs/uploadLimit.ts';
import { mergePieces } from '../../merge/mergePieces.ts';
import { glossaryFolderOf, readGlossary } from '../../prompt/glossary.ts';
import { buildTranslationPrompt } from '../../prompt/translationPrompt.ts';
import type { MissingSound } from '../../split/thread/splitMethods.ts';
import type { Transcript } from '../../transcript/transcript.ts';
import type { AudioParts } from '../audioServices.ts';
import { clockText } from './trackText.ts';

/** Pieces of one recording that are on their way at once. The service's own limits hold them back further. */
const mostParallel = 3;

/** How a recording is asked for, where not as the settings say. */
export interface TranslationAsking {
  readonly model: string;
  readonly prompt: string;
}

/** What is kept of how a recording was asked about. */
export function askedWith({ request }: RecordingWork, track?: number): Pick<Transcript, 'prompt' | 'track'> {
  const { prompt } = request.options;
  return { ...(typeof prompt === 'string' && prompt !== '' && { prompt }), ...(track !== undefined && { track }) };
}

/** How recordings are sent, as the settings say now; the user is told what the service refused. */
export function workFor(given: Endpoint, parts: AudioParts, asking?: TranslationAsking): RecordingWork {
  const { services, pieces, splitter, tracks } = parts;
  const { client, notices } = services;
  const endpoint = asking === undefined ? given : { ...given, model: asking.model };
  const options = { ...readOptions(parts), ...(asking && { prompt: asking.prompt }) };
  const inOrder = readSetting('parley.audio.carryOver');
  const glossaryOf = glossaries();
  const onAdjusted = (adjustment: Adjustment): void => void notices.info(adjustmentText(adjustment));
  return {
    // What was begun in another way is not gone on with.
    store: asking === undefined ? pieces : { ...pieces, plan: async () => undefined },
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
    openSplit: (recording, signal, track) => openSplit(splitter, recording, signal, track),
    chosenTrack: tracks.get,
    encodedRefusal: encodedRefusalOf(endpoint),
    proveAlone: (recording, signal) => proveSoundAlone(splitter, recording, signal),
    onMissing: ({ fileName }, missing) => void notices.warn(missingText(fileName, missing)),
    merge: mergePieces,
    now: Date.now,
  };
}

/** Services that took a WAV and refused the FLAC that was made of it, for as long as this window is open. */
const refusals = new Set<string>();

function encodedRefusalOf({ baseUrl, model }: Endpoint): NonNullable<RecordingWork['encodedRefusal']> {
  const key = `${baseUrl} ${model}`;
  return {
    get isKnown() {
      return refusals.has(key);
    },
    learn: () => void refusals.add(key),
  };
}

/** What could not be sent: `The file ends at 2:08 of 3:31`. */
function missingText(fileName: string, { end, promised, rest = 0 }: MissingSound): string {
  if (promised !== undefined) {
    return l10n.t(
      '{0}: The file ends at {1} of {2}; the rest is missing.',
      fileName,
      clockText(end),
      clockText(promised),
    );
  }
  return l10n.t('{0}: {1} behind the sound could not be read, and were not sent.', fileName, formatSize(rest));
}

/** The terms that go with each recording. A glossary is read once. */
function glossaries(): (path: string) => Promise<string[]> {
  const read = new Map<string, Promise<string[]>>();
  return async (path) => {
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const folder = glossaryFolderOf(
      path,
      folders.map(({ uri }) => uri.fsPath),
    );
    if (folder === undefined) return [];
    const terms = read.get(folder) ?? readGlossary(folder);
    read.set(folder, terms);
    return terms;
  };
}

/** The setting, or less where the service has refused less in the last days, and the setting is as it was then. */
function uploadLimit({ baseUrl, model }: Endpoint, { client: { memory } }: AudioParts['services']): UploadLimit {
  const read = () => {
    const megabytes = Number(readSetting('parley.audio.uploadLimit'));
    const bytes = (megabytes >= 1 && megabytes <= 4096 ? megabytes : 25) * 1024 ** 2;
    return { bytes, own: isSettingSet('parley.audio.uploadLimit') ? bytes : undefined };
  };
  return {
    get bytes() {
      return this.learned ?? read().bytes;
    },
    get learned() {
      const { bytes, own } = read();
      const learned = memory.uploadLimit(baseUrl, model, own);
      return learned !== undefined && learned < bytes ? learned : undefined;
    },
    learn: (bytes) => memory.setUploadLimit(baseUrl, model, bytes, read().own),
  };
}

/** What is sent beside the recording. The task is part of it, and so of what decides on the answer for a piece. */
export function readOptions({
  task,
  language,
}: Pick<AudioParts, 'task' | 'language'>): Omit<AudioUpload, 'path' | 'contentType'> {
  const isSpoken = task === 'transcribe';
  return {
    ...(isSpoken ? { task, ...(language === undefined ? {} : { language }) } : {}),
    prompt: readSetting(isSpoken ? 'parley.audio.transcriptionPrompt' : 'parley.audio.prompt'),
    responseFormat: readSetting('parley.audio.responseFormat'),
    temperature: readSetting('parley.audio.temperature'),
    fileField: readSetting('parley.audio.fileField').trim() || 'file',
    extraFields: readSetting('parley.audio.extraFields'),
  };
}

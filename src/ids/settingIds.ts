/** Each setting with the type of its value. All are of `machine` scope. `test/unit/manifest.test.ts` holds package.json against it. */
export interface SettingTypes {
  'parley.baseUrl': string;
  'parley.apiKeyEnvironmentVariable': string;
  'parley.insecureOrigins': string[];
  'parley.chat.model': string;
  'parley.chat.stream': boolean;
  'parley.chat.systemPrompt': string;
  'parley.chat.instructionFiles': boolean;
  /** Whether the open file goes along with a question unless it is turned off. */
  'parley.chat.openFile': boolean;
  'parley.exchanges.keep': boolean;
  'parley.chat.extraBody': Record<string, unknown>;
  /** The limit in megabytes of text. */
  'parley.chat.maxAnswerSize': number;
  /** Whether files are saved once all changes of their set are decided on. */
  'parley.edits.saveAccepted': boolean;
  /** The form in which edits are asked for; `edits/ask/editForm.ts` reads it, and that by pattern of model names. */
  'parley.edits.form': 'auto' | 'tool' | 'blocks' | 'whole';
  'parley.edits.formByModel': Record<string, unknown>;
  /** Capabilities by pattern of model names; `models/catalog/capabilities.ts` reads them. */
  'parley.models.capabilities': Record<string, unknown>;
  'parley.embeddings.model': string;
  'parley.embeddings.baseUrl': string;
  'parley.embeddings.queryPrefix': string;
  'parley.embeddings.documentPrefix': string;
  /** The price in any currency; 0 means that none is given. */
  'parley.embeddings.pricePerMillionTokens': number;
  /** The budget in tokens; 0 is no limit. */
  'parley.embeddings.dailyTokenBudget': number;
  'parley.search.updateOnSave': boolean;
  'parley.search.maxFileSize': number;
  /** A list of globs. */
  'parley.search.exclude': string[];
  'parley.search.allowPaths': string[];
  'parley.search.includeGenerated': boolean;
  /** The path or https address of the file with the vectors of a workspace. */
  'parley.search.sharedFile': string;
  'parley.search.sharedFileKey': string;
  'parley.search.store': 'local' | 'postgres';
  'parley.search.mcpServer': boolean;
  'parley.audio.model': string;
  'parley.audio.baseUrl': string;
  'parley.audio.prompt': string;
  'parley.audio.transcriptions': 'auto' | 'on' | 'off';
  /** `auto`, `ask`, or a code of ISO 639-1. */
  'parley.audio.language': string;
  'parley.audio.transcriptionPrompt': string;
  'parley.audio.responseFormat': 'json' | 'verbose_json' | 'text';
  'parley.audio.temperature': number;
  'parley.audio.fileField': string;
  'parley.audio.extraFields': Record<string, string>;
  /** The largest request in megabytes. */
  'parley.audio.uploadLimit': number;
  /** Whether each piece of a recording is sent with the end of the text before. */
  'parley.audio.carryOver': boolean;
  /** The price in any currency; 0 means that none is given. */
  'parley.audio.pricePerMinute': number;
  /** Seconds that each request is paid for at least. */
  'parley.audio.minimumBilledSeconds': number;
  'parley.audio.askAboveMinutes': number;
  /** The pattern of file names; `audio/export/namePattern.ts` reads it. */
  'parley.audio.exportName': string;
  'parley.network.path': 'auto' | 'direct' | 'editor';
  /** The time limit in seconds; 0 is no limit. The same holds for the three below. */
  'parley.network.clientCertificates': Record<string, unknown>;
  'parley.network.connectTimeout': number;
  'parley.network.firstByteTimeout': number;
  'parley.network.idleTimeout': number;
  'parley.network.totalTimeout': number;
}
export type SettingId = keyof SettingTypes;

/** The setting ids as values; the compiler refuses an id that is missing or misspelt. */
const settingIdSet: Record<SettingId, true> = {
  'parley.baseUrl': true,
  'parley.apiKeyEnvironmentVariable': true,
  'parley.insecureOrigins': true,
  'parley.chat.model': true,
  'parley.chat.stream': true,
  'parley.chat.systemPrompt': true,
  'parley.chat.instructionFiles': true,
  'parley.chat.openFile': true,
  'parley.exchanges.keep': true,
  'parley.chat.extraBody': true,
  'parley.chat.maxAnswerSize': true,
  'parley.edits.saveAccepted': true,
  'parley.edits.form': true,
  'parley.edits.formByModel': true,
  'parley.models.capabilities': true,
  'parley.embeddings.model': true,
  'parley.embeddings.baseUrl': true,
  'parley.embeddings.queryPrefix': true,
  'parley.embeddings.documentPrefix': true,
  'parley.embeddings.pricePerMillionTokens': true,
  'parley.embeddings.dailyTokenBudget': true,
  'parley.search.updateOnSave': true,
  'parley.search.maxFileSize': true,
  'parley.search.exclude': true,
  'parley.search.allowPaths': true,
  'parley.search.includeGenerated': true,
  'parley.search.sharedFile': true,
  'parley.search.sharedFileKey': true,
  'parley.search.store': true,
  'parley.search.mcpServer': true,
  'parley.audio.model': true,
  'parley.audio.baseUrl': true,
  'parley.audio.prompt': true,
  'parley.audio.transcriptions': true,
  'parley.audio.language': true,
  'parley.audio.transcriptionPrompt': true,
  'parley.audio.responseFormat': true,
  'parley.audio.temperature': true,
  'parley.audio.fileField': true,
  'parley.audio.extraFields': true,
  'parley.audio.uploadLimit': true,
  'parley.audio.carryOver': true,
  'parley.audio.pricePerMinute': true,
  'parley.audio.minimumBilledSeconds': true,
  'parley.audio.askAboveMinutes': true,
  'parley.audio.exportName': true,
  'parley.network.path': true,
  'parley.network.clientCertificates': true,
  'parley.network.connectTimeout': true,
  'parley.network.firstByteTimeout': true,
  'parley.network.idleTimeout': true,
  'parley.network.totalTimeout': true,
};
export const settingIds = Object.keys(settingIdSet) as SettingId[];

/** Every command, view and context key of Parley, once; settings are in `settingIds.ts`. `test/unit/manifest.test.ts` holds package.json against it. */

export const Command = {
  connect: 'parley.connect',
  setApiKey: 'parley.setApiKey',
  removeApiKey: 'parley.removeApiKey',
  testConnection: 'parley.testConnection',
  showLearned: 'parley.showLearned',
  showLog: 'parley.showLog',
  showExchanges: 'parley.showExchanges',
  chatAsk: 'parley.chat.ask',
  chatNew: 'parley.chat.new',
  chatStop: 'parley.chat.stop',
  chatRetry: 'parley.chat.retry',
  chatContinue: 'parley.chat.continue',
  chatFork: 'parley.chat.fork',
  chatFind: 'parley.chat.find',
  chatCompare: 'parley.chat.compare',
  chatPickModel: 'parley.chat.pickModel',
  chatParameters: 'parley.chat.parameters',
  chatSystemPrompt: 'parley.chat.systemPrompt',
  chatRequest: 'parley.chat.request',
  chatCopyRequest: 'parley.chat.copyRequest',
  chatPresets: 'parley.chat.presets',
  chatBiasWords: 'parley.chat.biasWords',
  confidenceToggle: 'parley.confidence.toggle',
  confidenceNext: 'parley.confidence.next',
  confidencePrevious: 'parley.confidence.previous',
  chatSchema: 'parley.chat.schema',
  chatOpen: 'parley.chat.openConversation',
  chatOpenInEditor: 'parley.chat.openInEditor',
  chatOpenInWindow: 'parley.chat.openInWindow',
  chatDelete: 'parley.chat.delete',
  chatExport: 'parley.chat.export',
  chatBringBack: 'parley.chat.bringBack',
  chatRename: 'parley.chat.rename',
  chatPin: 'parley.chat.pin',
  chatUnpin: 'parley.chat.unpin',
  chatSearch: 'parley.chat.search',
  chatClearSearch: 'parley.chat.clearSearch',
  chatExportJson: 'parley.chat.exportJson',
  chatImport: 'parley.chat.import',
  chatOpenRequest: 'parley.chat.openRequest',
  selectionAsk: 'parley.selection.ask',
  selectionExplain: 'parley.selection.explain',
  selectionFix: 'parley.selection.fix',
  selectionDocument: 'parley.selection.document',
  selectionWriteTests: 'parley.selection.writeTests',
  promptsNew: 'parley.prompts.new',
  promptsOpenFolder: 'parley.prompts.openFolder',
  contextAdd: 'parley.context.add',
  contextAddTerminal: 'parley.context.addTerminalSelection',
  editStart: 'parley.edit.start',
  editReview: 'parley.edit.review',
  editAccept: 'parley.edit.accept',
  editReject: 'parley.edit.reject',
  editAcceptFile: 'parley.edit.acceptFile',
  editRejectFile: 'parley.edit.rejectFile',
  editAcceptSet: 'parley.edit.acceptSet',
  editRejectSet: 'parley.edit.rejectSet',
  editNext: 'parley.edit.next',
  editPrevious: 'parley.edit.previous',
  editTakeBack: 'parley.edit.takeBack',
  editRestore: 'parley.edit.restore',
  editFixProblem: 'parley.edit.fixProblem',
  editExplainProblem: 'parley.edit.explainProblem',
  editShowAnswer: 'parley.edit.showAnswer',
  editShowUnplaced: 'parley.edit.showUnplaced',
  searchIndex: 'parley.search.indexWorkspace',
  /** The command for other extensions: it tells them, not the user, what went wrong. */
  searchIndexForCaller: 'parley.search.index',
  searchDeleteIndex: 'parley.search.deleteIndex',
  searchPause: 'parley.search.pause',
  searchResume: 'parley.search.resume',
  searchCancel: 'parley.search.cancel',
  searchAnswer: 'parley.search.answer',
  searchReport: 'parley.search.report',
  searchAddToAgents: 'parley.search.addToAgents',
  searchSetTeamStore: 'parley.search.setTeamStore',
  searchExport: 'parley.search.export',
  searchImport: 'parley.search.import',
  searchManageIndexes: 'parley.search.manageIndexes',
  /** Lists the actions that the index allows now: the list behind the status entry. */
  searchActions: 'parley.search.actions',
  searchQuery: 'parley.search.query',
  searchFindSimilar: 'parley.search.findSimilar',
  searchFindSimilarToHit: 'parley.search.findSimilarToHit',
  searchOpenHit: 'parley.search.openHit',
  searchMoreHits: 'parley.search.moreHits',
  searchOpenHitToSide: 'parley.search.openHitToSide',
  searchCopyPath: 'parley.search.copyPath',
  searchDismissHit: 'parley.search.dismissHit',
  searchNextHit: 'parley.search.nextHit',
  searchPreviousHit: 'parley.search.previousHit',
  searchFilter: 'parley.search.filter',
  searchClearFilters: 'parley.search.clearFilters',
  searchHistory: 'parley.search.history',
  searchRefresh: 'parley.search.refresh',
  searchPeekHit: 'parley.search.peekHit',
  searchKeepHits: 'parley.search.keepHits',
  searchClear: 'parley.search.clear',
  searchWhyFile: 'parley.search.whyFile',
  scmCommitMessage: 'parley.scm.commitMessage',
  scmStopCommitMessage: 'parley.scm.stopCommitMessage',
  audioTranslate: 'parley.audio.translate',
  audioTranscribe: 'parley.audio.transcribe',
  audioOpen: 'parley.audio.open',
  audioPause: 'parley.audio.pause',
  audioResume: 'parley.audio.resume',
  audioCancel: 'parley.audio.cancel',
  audioRemove: 'parley.audio.remove',
  audioClear: 'parley.audio.clear',
  audioExport: 'parley.audio.export',
  audioEditAsText: 'parley.audio.editAsText',
  audioPlayLine: 'parley.audio.playLine',
  audioInsert: 'parley.audio.insert',
  audioInsertTimes: 'parley.audio.insertTimes',
  audioAddToChat: 'parley.audio.addToChat',
  audioTranslateAgain: 'parley.audio.translateAgain',
  audioVersions: 'parley.audio.versions',
  audioSearch: 'parley.audio.search',
  scmReviewChanges: 'parley.scm.reviewChanges',
  scmFixFinding: 'parley.scm.fixFinding',
  scmDismissFinding: 'parley.scm.dismissFinding',
  scmDismissFindings: 'parley.scm.dismissFindings',
} as const;
export type CommandId = (typeof Command)[keyof typeof Command];

/** The vendor by which VS Code knows Parley's models. */
export const languageModelVendor = 'parley';

/** Tools that agents in VS Code may call. */
export const Tool = {
  searchCode: 'parley_search_code',
  translateAudio: 'parley_translate_audio',
  proposeEdit: 'parley_propose_edit',
} as const;

export const View = {
  chat: 'parley.chat',
  search: 'parley.search',
  conversations: 'parley.conversations',
  changes: 'parley.changes',
  translations: 'parley.translations',
} as const;

/** The type of a tab that shows a conversation. */
export const conversationPanelType = 'parley.conversation';
/** The type of the panel that shows a translation. */
export const transcriptPanelType = 'parley.transcript';

export const ContextKey = {
  /** An address is set for chat, and the key it needs is there. */
  connected: 'parley.connected',
  /** An address is set for chat, but not the key it needs. */
  keyMissing: 'parley.keyMissing',
  /** A test call for chat went well. */
  connectionTested: 'parley.connectionTested',
  /** The address and key for embeddings are there, with a model. */
  embeddingsConnected: 'parley.embeddings.connected',
  /** In the conversation that commands are for, an answer is being written. */
  chatBusy: 'parley.chat.busy',
  /** The conversation that commands are for has messages. */
  chatHasMessages: 'parley.chat.hasMessages',
  /** The conversation in the view has messages. */
  chatViewHasMessages: 'parley.chat.viewHasMessages',
  /** The list of conversations has what was searched for, and nothing else. */
  chatSearching: 'parley.chat.searching',
  /** Changes are proposed that wait for a decision. */
  editPending: 'parley.edit.pending',
  searchHasResults: 'parley.search.hasResults',
  /** The results are narrowed by filters. */
  searchHasFilters: 'parley.search.hasFilters',
  /** The list of the search is open. */
  searchPicking: 'parley.search.picking',
  /** The index is being built. */
  searchIndexing: 'parley.search.indexing',
  /** The question before an upload waits for its answer. */
  searchAsks: 'parley.search.asks',
  /** Indexing is paused, or has failed. */
  searchCanResume: 'parley.search.canResume',
  /** All files that can be found are found by meaning: there is nothing to index. */
  searchReady: 'parley.search.ready',
  /** The roots of the repositories for which a commit message is being written. */
  scmWriting: 'parley.scm.writing',
  /** The address and key for recordings are there, with a model. */
  audioConnected: 'parley.audio.connected',
  /** The service is known to have no `audio/transcriptions`. */
  audioNoTranscriptions: 'parley.audio.noTranscriptions',
  /** Translations are listed. */
  audioHasJobs: 'parley.audio.hasJobs',
  /** Translations are listed that are over. */
  audioHasEnded: 'parley.audio.hasEnded',
  /** Findings of a review stand in editors. */
  scmHasFindings: 'parley.scm.hasFindings',
} as const;
export type ContextKeyId = (typeof ContextKey)[keyof typeof ContextKey];

export const Color = {
  searchHitBackground: 'parley.searchHitBackground',
  searchHitBorder: 'parley.searchHitBorder',
  searchHitRuler: 'parley.searchHitRuler',
} as const;

/** Whether a `Server` header is that of whisper.cpp, or of whisperfile, which is built of it. */
export function isWhisperCpp(serverHeader: string | undefined): boolean {
  return /^(whisper\.?cpp|whisperfile)\b/i.test(serverHeader?.trim() ?? '');
}

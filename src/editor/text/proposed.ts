import * as vscode from 'vscode';

/**
 * The part for what a model thinks, which reads like a part of text. The types have it as a proposal, so it may be there
 * or not.
 */
export type ThinkingPartClass = new (value: string, id?: string) => vscode.LanguageModelTextPart;

/** Undefined where VS Code has no such part. */
export function thinkingPartClass(): ThinkingPartClass | undefined {
  const found = (vscode as { LanguageModelThinkingPart?: unknown }).LanguageModelThinkingPart;
  return typeof found === 'function' ? (found as ThinkingPartClass) : undefined;
}

import { posix } from 'node:path';
import { l10n, Range, Uri } from 'vscode';
import type { Button } from '../../../editor/sentences/errorButtons.ts';
import { formatSize } from '../../../editor/sentences/formatUnits.ts';
import type { SettingId } from '../../../ids/settingIds.ts';
import type { Exclusion, ExclusionReason } from '../../../workspace/exclusions.ts';
import { maxRules, type Rule } from '../../../workspace/ignoreFiles.ts';
import { maxRuleBytes, type RuleFileProblem } from '../../../workspace/readRuleFile.ts';
import type { SecretKind } from '../../../workspace/secrets.ts';
import { numberText } from '../shared/sentences.ts';

export interface Reason {
  sentence: string;
  /** Opens the place that changes the reason. */
  action?: Button;
}

/** The rule of an ignore file, with its line. */
export function ruleReason(name: string, { file, line, pattern, problem }: Rule): Reason {
  const uri = Uri.file(file);
  const where = posix.basename(uri.path);
  if (problem !== undefined) return problemReason(name, where, uri, problem);
  const sentence = l10n.t('{0} is not indexed: line {1} of {2} says “{3}”.', name, String(line), where, pattern);
  return { sentence, action: openLine(uri, line) };
}

/** An unusable rule file, which excludes its whole folder. */
function problemReason(name: string, where: string, uri: Uri, problem: RuleFileProblem): Reason {
  const action = { title: l10n.t('Show File'), command: 'revealInExplorer', arguments: [uri] };
  if (problem === 'unreadable') {
    const sentence = l10n.t('{0} is not indexed: {1} cannot be read, so all in its folder stays out.', name, where);
    return { sentence, action };
  }
  const [rules, size] = [numberText(maxRules), formatSize(maxRuleBytes)];
  const sentence =
    name === where
      ? l10n.t(
          '{0} is not indexed, nor is what it may have named: it has more than {1} rules or {2}.',
          name,
          rules,
          size,
        )
      : l10n.t(
          '{0} is not indexed: {1} has more than {2} rules or {3}, so all in its folder stays out.',
          name,
          where,
          rules,
          size,
        );
  return { sentence, action };
}

/** Why a file that git lists is left out, and how to change that. */
export function exclusionText(name: string, uri: Uri, exclusion: Exclusion): Reason {
  const { reason, rule, glob = '', secret, line } = exclusion;
  if (rule !== undefined) return ruleReason(name, rule);
  if (secret !== undefined) {
    const sentence = l10n.t(
      '{0} is not indexed: line {1} holds {2}.',
      name,
      numberText(secret.line),
      secretText(secret),
    );
    return { sentence, action: openLine(uri, secret.line) };
  }
  const allow = openSetting('parley.search.allowPaths');
  const texts: Record<ExclusionReason, () => Reason> = {
    'secret-path': () => ({
      sentence: l10n.t('{0} is not indexed: files of this name hold secrets.', name),
      action: allow,
    }),
    'secret-content': () => ({ sentence: l10n.t('{0} is not indexed: it holds a key or password.', name) }),
    setting: () => ({
      sentence: l10n.t('{0} is not indexed: the setting parley.search.exclude names “{1}”.', name, glob),
      action: openSetting('parley.search.exclude'),
    }),
    parleyignore: () => ({ sentence: l10n.t('{0} is not indexed: a .parleyignore names it.', name) }),
    'rule-file': () => ({ sentence: l10n.t('{0} is not indexed: an ignore file cannot be followed.', name) }),
    binary: () => ({ sentence: l10n.t('{0} is not indexed: it is not text.', name) }),
    'too-large': () => ({
      sentence: l10n.t('{0} is not indexed: it is over the size limit.', name),
      action: openSetting('parley.search.maxFileSize'),
    }),
    minified: () => ({ sentence: l10n.t('{0} is not indexed: it is minified.', name), action: allow }),
    generated: () => ({
      sentence:
        line === undefined
          ? l10n.t('{0} is not indexed: .gitattributes says that it is generated or from elsewhere.', name)
          : l10n.t('{0} is not indexed: line {1} says that a program wrote it.', name, numberText(line)),
      action: openSetting('parley.search.includeGenerated'),
    }),
    'lock-file': () => ({ sentence: l10n.t('{0} is not indexed: a tool writes it.', name), action: allow }),
    symlink: () => ({
      sentence: l10n.t('{0} is not indexed: it is a link; what it points to may be indexed itself.', name),
    }),
    unreadable: () => ({ sentence: l10n.t('{0} is not indexed: it cannot be read.', name) }),
  };
  return texts[reason]();
}

/** The kind of a secret; never its text. */
export function secretText({ kind, service = '' }: NonNullable<Exclusion['secret']>): string {
  const texts: Record<SecretKind, () => string> = {
    'private-key': () => l10n.t('a private key'),
    'service-key': () => l10n.t('what looks like a key of {0}', service),
    'web-token': () => l10n.t('a web token'),
    'connection-string': () => l10n.t('an address with a password'),
    login: () => l10n.t('a login with a password'),
    assigned: () => l10n.t('what looks like a key or password'),
  };
  return texts[kind]();
}

function openSetting(id: SettingId): Button {
  return { title: l10n.t('Open Setting'), command: 'workbench.action.openSettings', arguments: [`@id:${id}`] };
}

export function openLine(uri: Uri, line: number): Button {
  const start = new Range(line - 1, 0, line - 1, 0);
  return { title: l10n.t('Open File'), command: 'vscode.open', arguments: [uri, { selection: start }] };
}

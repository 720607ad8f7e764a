import { readAllEncodingRules } from '../../../editor/files/readEncodingRules.ts';
import { readSetting } from '../../../editor/settings.ts';
import type { Scope } from '../../../workspace/fileFilter.ts';
import { roots } from '../../../workspace/ui/folders.ts';
import { openFiles } from '../shared/openFiles.ts';

/** Which files belong to the index, by the folders and the settings of now. */
export const indexScope = (): Scope => ({
  roots: roots(),
  maxBytes: readSetting('parley.search.maxFileSize') * 1024,
  exclude: readSetting('parley.search.exclude'),
  allow: readSetting('parley.search.allowPaths'),
  includeGenerated: readSetting('parley.search.includeGenerated'),
  near: openFiles(),
  encodings: readAllEncodingRules(roots()),
});

import * as z from 'zod/mini';
import type { FromChatPanel } from '../../../webview/shared/protocol/protocol.ts';
import { longestText } from '../../../webview/shared/textLimits.ts';
import { mostCompared } from '../../comparison/contestants.ts';
import { longestParameter } from '../../parameters/parameterForms.ts';

/** A question may be a whole file; an answer that is copied may be longer than any model writes. */
const longText = z.string().check(z.maxLength(longestText));
const id = z.string().check(z.maxLength(64));

/** Twice the longest value: as a person writes it, it may be longer than as it is sent. */
const fieldText = z.string().check(z.maxLength(2 * longestParameter));

/** The question that is being edited; absent for the next one. */
const of = z.optional(id);

const path = z.string().check(z.maxLength(300));
const trigger = z.enum(['@', '/']);
const typed = z.string().check(z.maxLength(200));
const offset = z.int().check(z.gte(0), z.lte(100_000_000));
const line = z.int().check(z.gte(1), z.lte(10_000_000));
const language = z.string().check(z.maxLength(64));

const uri = z.string().check(z.maxLength(4096));
const name = z.string().check(z.maxLength(300));
const mime = z.string().check(z.regex(/^image\/[\w.+-]{1,50}$/));
const side = z.int().check(z.gte(1), z.lte(100_000));
/** Base64 of what is sent, and of an original. */
const sentData = z.string().check(z.maxLength(2_000_000));
const wholeData = z.string().check(z.maxLength(28_000_000));
const image = z.optional(z.strictObject({ mime, data: sentData, width: side, height: side }));

const again = z.optional(z.enum(['leaveOut', 'whole']));

/** Every message of the panel. Strict, so that a field too many is refused as well. */
const schema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('drawn'), seq: z.int().check(z.gte(0)) }),
  z.strictObject({ type: z.literal('focused') }),
  z.strictObject({ type: z.literal('copyMessage'), message: id }),
  z.strictObject({
    type: z.literal('send'),
    text: longText,
    fit: z.optional(z.enum(['leaveOut', 'summarise', 'whole'])),
  }),
  z.strictObject({ type: z.literal('summarise') }),
  z.strictObject({ type: z.literal('showSummary') }),
  z.strictObject({ type: z.literal('takeBack'), question: id }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('retry'), fit: again }),
  z.strictObject({ type: z.literal('regenerate'), message: id, fit: again }),
  z.strictObject({ type: z.literal(['continue', 'replay', 'showExchange']), message: id }),
  z.strictObject({ type: z.literal('edit'), message: id, text: longText, fit: again }),
  z.strictObject({ type: z.literal('fork'), message: id }),
  z.strictObject({ type: z.literal('choose'), message: id }),
  z.strictObject({ type: z.literal('delete'), message: id }),
  z.strictObject({ type: z.literal('showConfidence'), message: id }),
  z.strictObject({ type: z.literal('compareVersions'), message: id, other: z.optional(id) }),
  z.strictObject({ type: z.literal('compareAnswers'), text: longText }),
  z.strictObject({ type: z.literal('openComparison'), message: id }),
  z.strictObject({ type: z.literal('closeComparison') }),
  z.strictObject({ type: z.literal('stepColumn'), column: z.int().check(z.gte(0), z.lt(mostCompared)), message: id }),
  z.strictObject({ type: z.literal('columnsDrawn'), seq: z.int().check(z.gte(0)) }),
  z.strictObject({ type: z.literal('goOnWith'), message: id }),
  z.strictObject({ type: z.literal('askMissing'), message: id }),
  z.strictObject({ type: z.literal('forkToken'), message: id, at: offset, other: z.int().check(z.gte(0), z.lt(20)) }),
  z.strictObject({ type: z.literal('showData'), message: id }),
  z.strictObject({ type: z.literal('copyData'), message: id, as: z.enum(['json', 'typescript', 'zod']) }),
  z.strictObject({ type: z.literal('fixData'), message: id }),
  z.strictObject({ type: z.literal(['pickSchema', 'biasWords']) }),
  z.strictObject({ type: z.literal('connect') }),
  z.strictObject({ type: z.literal('setKey') }),
  z.strictObject({ type: z.literal('pickModel') }),
  z.strictObject({ type: z.literal('setField'), name: id, text: fieldText }),
  z.strictObject({ type: z.literal('sendFile'), id, isSent: z.boolean() }),
  z.strictObject({ type: z.literal('sendOpenFile'), isSent: z.boolean() }),
  z.strictObject({ type: z.literal('openSystemPrompt') }),
  z.strictObject({ type: z.literal(['openRequest', 'openExtraBody']) }),
  z.strictObject({ type: z.literal('copyRequest'), text: longText }),
  z.strictObject({ type: z.literal('pickPreset') }),
  z.strictObject({ type: z.literal('keepModel') }),
  z.strictObject({ type: z.literal('resetConfiguration') }),
  z.strictObject({ type: z.literal('helpWith'), message: id }),
  z.strictObject({ type: z.literal('suggestion'), index: z.int().check(z.gte(0), z.lte(9)) }),
  z.strictObject({ type: z.literal(['beginEdit', 'endEdit']), message: id }),
  z.strictObject({ type: z.literal('detach'), chip: id, of }),
  z.strictObject({ type: z.literal('search'), text: longText }),
  z.strictObject({ type: z.literal('complete'), trigger, text: typed, of }),
  z.strictObject({ type: z.literal('chooseCompletion'), trigger, id, text: typed, of }),
  z.strictObject({ type: z.literal('readChip'), chip: id, of }),
  z.strictObject({ type: z.literal('attachUris'), uris: z.array(uri).check(z.maxLength(50)), of }),
  z.strictObject({ type: z.literal('pasteText'), name, language: name, text: longText, of }),
  z.strictObject({
    type: z.literal('pasteImage'),
    name,
    original: z.strictObject({ mime, data: wholeData }),
    image,
    of,
  }),
  z.strictObject({ type: z.literal('imageScaled'), id, image }),
  z.strictObject({ type: z.literal('copy'), text: longText }),
  z.strictObject({ type: z.literal('insert'), text: longText, message: z.optional(id) }),
  z.strictObject({ type: z.literal('apply'), text: longText, path: z.optional(path), message: z.optional(id) }),
  z.strictObject({ type: z.literal('applyAnswer'), message: id }),
  z.strictObject({ type: z.literal('newFile'), text: longText, language, message: z.optional(id) }),
  z.strictObject({ type: z.literal('runInTerminal'), text: longText, language }),
  z.strictObject({ type: z.literal('preview'), text: longText }),
  z.strictObject({ type: z.literal('findFiles'), paths: z.array(path).check(z.maxLength(100)) }),
  z.strictObject({
    type: z.literal('openFile'),
    path,
    line: z.optional(line),
    column: z.optional(line),
    endLine: z.optional(line),
  }),
  z.strictObject({ type: z.literal('openChip'), message: id, chip: id }),
  z.strictObject({ type: z.literal('openLink'), href: z.string().check(z.maxLength(4096)) }),
]);

/** The message, or undefined for anything that is not exactly one of the protocol. */
export function parseFromPanel(raw: unknown): FromChatPanel | undefined {
  const parsed = schema.safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}

/** Fails to compile when a message of the protocol has no schema. */
type Missing = Exclude<FromChatPanel['type'], z.infer<typeof schema>['type']>;
export type EveryMessageHasASchema = Missing extends never ? true : never;
const complete: EveryMessageHasASchema = true;
void complete;

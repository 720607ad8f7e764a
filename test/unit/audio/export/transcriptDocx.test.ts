import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, property, string } from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { exportFile } from '../../../../src/audio/export/exportTranscripts.ts';
import type { Transcript } from '../../../../src/audio/transcript/transcript.ts';

const never = new AbortController().signal;
const transcriptWith = (more: Partial<Transcript>): Transcript =>
  ({ fileName: 'a.mp3', text: '', segments: undefined, ...more }) as Transcript;

async function documentOf(transcripts: readonly Transcript[], times: boolean): Promise<string> {
  const result = await exportFile(transcripts, 'docx', { times, about: () => 'By a model, in May' }, never);
  assert.ok('content' in result && result.content instanceof Uint8Array);
  const files = unzipSync(result.content);
  assert.deepEqual(Object.keys(files).sort(), [
    '[Content_Types].xml',
    '_rels/.rels',
    'word/_rels/document.xml.rels',
    'word/document.xml',
    'word/styles.xml',
  ]);
  return strFromU8(files['word/document.xml'] ?? new Uint8Array());
}

/** The paragraphs of a document as a reader shows them. Throws where tags do not fit each other. */
function paragraphsIn(xml: string): string[] {
  const open: string[] = [];
  const paragraphs: string[] = [];
  let text = '';
  for (const [, isEnd, name = '', isAlone, words = ''] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>([^<]*)/g)) {
    if (isEnd === '/') assert.equal(open.pop(), name);
    else if (isAlone !== '/') open.push(name);
    if (name === 'w:br') text += '\n';
    if (name === 'w:t' && isEnd === '') text += words;
    if (name === 'w:p' && isEnd === '/') {
      paragraphs.push(text);
      text = '';
    }
  }
  assert.deepEqual(open, []);
  return paragraphs.map((each) => each.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&'));
}

const tide = transcriptWith({
  segments: [
    { start: 0, end: 2, text: 'Notice to mariners.' },
    { start: 61.2, end: 64, text: 'High tide\ncomes at six.' },
  ],
});

test('a document of Word has a heading, a line about the recording, and each line after its time', async () => {
  const xml = await documentOf([tide, transcriptWith({ fileName: 'b.mp3', text: 'First.\n\nSecond.' })], true);
  assert.deepEqual(paragraphsIn(xml), [
    'a.mp3',
    'By a model, in May',
    '0:00 Notice to mariners.',
    '1:01 High tide\ncomes at six.',
    'b.mp3',
    'By a model, in May',
    'First.',
    'Second.',
  ]);
  assert.match(xml, /<w:pStyle w:val="Heading1"\/>.*a\.mp3/);
});

test('without times it is in paragraphs, and the same transcript gives the same bytes', async () => {
  assert.deepEqual(paragraphsIn(await documentOf([tide], false)).slice(2), [
    'Notice to mariners.',
    'High tide comes at six.',
  ]);
  const twice = [0, 1].map(() => exportFile([tide], 'docx', { times: true, about: () => '' }, never));
  const [first, second] = await Promise.all(twice);
  assert.deepEqual(first, second);
});

test('whatever was said is only text of a document that can be read', async () => {
  const hostile = ['</w:t></w:r></w:p><w:p>', '&amp; <!DOCTYPE x>', ']]>', 'a\0b\x1bc', '\ud800', '\uffff', '😀 שלום'];
  for (const text of hostile) {
    const xml = await documentOf([transcriptWith({ fileName: text, segments: [{ start: 0, end: 1, text }] })], true);
    assert.equal(paragraphsIn(xml).length, 3, text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there.
    assert.doesNotMatch(xml, /[\0-\x08\x0b\x0c\x0e-\x1f\uffff]/);
  }
  await holdsFor();
});

async function holdsFor(): Promise<void> {
  const texts: string[] = [];
  holds(
    property(string({ unit: 'binary', maxLength: 40 }), (text) => void texts.push(text)),
    { numRuns: 100 },
  );
  for (const text of texts) {
    const xml = await documentOf([transcriptWith({ text: `x${text}x` })], false);
    assert.ok(paragraphsIn(xml).length >= 3);
  }
}

import { strToU8, zipSync } from 'fflate';
import { speakerPrefix } from '../transcript/speakers.ts';
import { oneLine, plainLines, spokenSegments } from '../transcript/timedText.ts';
import { formatTime } from '../transcript/timestamps.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toParagraphs } from './transcriptText.ts';

/** A document of Word (ECMA-376) from the XML of its body. */
export function toDocx(body: string): Uint8Array {
  const namespace = 'http://schemas.openxmlformats.org';
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${namespace}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="rId1" Type="${namespace}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${namespace}/package/2006/relationships"><Relationship Id="rId1" Type="${namespace}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles xmlns:w="${namespace}/wordprocessingml/2006/main"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="160"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style></w:styles>`,
    'word/document.xml': `<w:document xmlns:w="${namespace}/wordprocessingml/2006/main"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(declaration + xml)] as const);
  return zipSync(Object.fromEntries(files), { mtime: zipTime });
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** The first time that a ZIP can have: the same transcript gives the same bytes. */
const zipTime = '1980-01-01T00:00:00';

/**
 * The body piece by piece: a heading, a line about it, then a paragraph for each segment after its time, or paragraphs without times.
 * @param about one sentence in the language of the user
 */
export function* docxPieces(transcript: Transcript, about: string, times: boolean): Generator<string> {
  yield paragraph(run(oneLine(transcript.fileName)), 'Heading1');
  if (about !== '') yield paragraph(run(oneLine(about), '<w:i/>'));
  const segments = times ? spokenSegments(transcript) : undefined;
  let before: string | undefined;
  for (const segment of segments ?? []) {
    const name = speakerPrefix(segment, before);
    before = segment.speaker;
    yield paragraph(run(formatTime(segment.start), '<w:b/>') + run(` ${name}${plainLines(segment.text)}`));
  }
  if (segments !== undefined) return;
  for (const words of toParagraphs(transcript)) yield paragraph(run(words));
}

function paragraph(runs: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}${runs}</w:p>`;
}

/** A text, with a break for each line break. */
function run(text: string, properties = ''): string {
  const lines = text.split('\n').map((line) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`);
  return `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}${lines.join('<w:br/>')}</w:r>`;
}

/** A transcript is only text. XML has no place for most control characters, nor for half a surrogate pair. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML 1.0 cannot hold.
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
  );
}

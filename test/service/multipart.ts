import { createHash } from 'node:crypto';
import type { RecordedPart } from './options.ts';
import { badField, Refusal } from './replies.ts';

export interface Part extends RecordedPart {
  content: Buffer;
}

/**
 * Reads a multipart/form-data body (RFC 7578, RFC 2046) and takes nothing that is not written there: every byte
 * belongs to a boundary, a header or a part's content.
 * @throws Refusal 400 that says what is wrong at which offset
 */
export function parseMultipart(contentType: string | undefined, body: Buffer): Part[] {
  const delimiter = Buffer.from(`--${readBoundary(contentType)}`, 'latin1');
  if (!body.subarray(0, delimiter.length).equals(delimiter)) throw malformed('it does not begin with the boundary', 0);
  const between = Buffer.concat([Buffer.from('\r\n'), delimiter]);
  const parts: Part[] = [];
  let at = delimiter.length;
  while (text(body, at, 2) === '\r\n') {
    const headersEnd = body.indexOf('\r\n\r\n', at);
    if (headersEnd < 0) throw malformed('a part has no end of its headers', at);
    const end = body.indexOf(between, headersEnd + 4);
    if (end < 0) throw malformed('a part is not closed by the boundary', headersEnd + 4);
    const headers = headersEnd === at ? '' : body.toString('utf8', at + 2, headersEnd);
    parts.push(readPart(headers, body.subarray(headersEnd + 4, end), at));
    at = end + between.length;
  }
  if (text(body, at, 2) !== '--') throw malformed('a boundary is followed by neither a line break nor "--"', at);
  const rest = text(body, at + 2, body.length);
  if (rest !== '' && rest !== '\r\n') throw malformed('there are bytes after the closing boundary', at + 2);
  if (parts.length === 0) throw malformed('it has no parts', at);
  return parts;
}

function readBoundary(contentType: string | undefined): string {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))\s*$/i.exec(contentType ?? '');
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) {
    throw badField('content-type', 'Content-Type must be multipart/form-data with a boundary.', 'invalid_content_type');
  }
  if (!/^[0-9A-Za-z'()+_,\-./:=? ]{1,70}$/.test(boundary)) {
    throw badField('content-type', 'The boundary is not one of RFC 2046.', 'invalid_content_type');
  }
  return boundary;
}

function readPart(headerText: string, content: Buffer, at: number): Part {
  const headers = new Map<string, string>();
  for (const line of headerText.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw malformed('a part has a header line without a name', at);
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined || !/^form-data\s*;/i.test(disposition)) {
    throw malformed('a part has no "Content-Disposition: form-data"', at);
  }
  const name = readParameter(disposition, 'name');
  if (name === undefined || name === '') throw malformed('a part has no name', at);
  const filename = readParameter(disposition, 'filename');
  const type = headers.get('content-type');
  return {
    name,
    ...(filename === undefined ? {} : { filename }),
    ...(type === undefined ? {} : { contentType: type }),
    length: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    ...(filename === undefined ? { value: content.toString('utf8') } : {}),
    content,
  };
}

/** A quoted parameter; browsers write a quote and line breaks in it as %22, %0D and %0A. */
function readParameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}

function text(body: Buffer, at: number, length: number): string {
  return body.toString('latin1', at, at + length);
}

function malformed(what: string, at: number): Refusal {
  return new Refusal(400, `The multipart body is malformed: ${what} (byte ${at}).`, { code: 'malformed_multipart' });
}

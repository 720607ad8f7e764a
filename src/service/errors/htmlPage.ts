import { scrub } from './scrub.ts';

const htmlStart = /^\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*(<!doctype html|<html|<head|<body)/is;

/** Whether a body is a web page: a login page of a proxy, or the error page of a gateway. */
export function isHtml(body: string): boolean {
  return htmlStart.test(body.slice(0, 4_096));
}

/** Characters of a web page that are looked at. */
const pageLength = 64 * 1024;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The title of a web page, as one line. */
export function htmlTitle(body: string): string {
  const start = body.slice(0, pageLength);
  const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(start) ?? /<h1[^<>]*>([^<]*)/i.exec(start) ?? [];
  return scrub(title.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' '));
}

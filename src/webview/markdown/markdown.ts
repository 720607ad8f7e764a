import createMarkdownIt, { type MarkdownIt } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { readFileName } from '../shared/fileName.ts';
import { fenceInfo } from './code/fenceInfo.ts';
import { addFootnotes } from './footnoteRules.ts';
import { addMath } from './mathRules.ts';
import { addFileLinks } from './rules/fileLinks.ts';
import { addNestedFences } from './rules/nestedFences.ts';
import { addTableBreaks } from './rules/tableBreaks.ts';
import { addTaskLists } from './rules/taskLists.ts';

/** Only web addresses become links, and files of the workspace once it is known that they are there. `javascript:`, `command:`, `data:` and the like stay the text they are. */
const webAddress = /^https?:\/\//i;

/** An address of another kind than a file's; `C:` is a drive. */
const otherAddress = /^[\s\p{Cc}]*(?!file:\/\/)[a-z][a-z\d+.-]+:/iu;

/** Markdown without raw HTML and without images: an image becomes its text and its address, never a request. */
export function createMarkdown(imageText: (label: string) => string): MarkdownIt {
  const markdown = createMarkdownIt({ html: false, linkify: true, breaks: false });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.validateLink = (url) =>
    webAddress.test(url) || readFileName(url, 'link') !== undefined || !otherAddress.test(url);
  // Marks beside the punctuation of Chinese, Japanese and Korean, which sets no spaces.
  markdown.use(cjkFriendly);
  for (const add of [addTaskLists, addFootnotes, addMath, addFileLinks, addNestedFences, addTableBreaks]) add(markdown);
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const label = [token?.content, token?.attrGet('src')].filter(Boolean).join(' ');
    return `<span class="image">${escapeHtml(imageText(label))}</span>`;
  };
  // The link has no href, so that only our own listener follows it. Its target is shown on hover.
  let closing = '';
  rules['link_open'] = (tokens, index) => {
    const address = String(tokens[index]?.attrGet('href') ?? '');
    const href = escapeHtml(address);
    // What leads nowhere, or to no file, is text. There are no links in links.
    const isFile = readFileName(address, 'link') !== undefined;
    closing = webAddress.test(address) ? '</a>' : isFile ? '</span>' : '';
    if (closing === '</span>') return `<span data-file="${href}">`;
    return closing === '' ? '' : `<a role="link" tabindex="0" title="${href}" data-href="${href}">`;
  };
  rules['link_close'] = () => closing;
  rules['fence'] = (tokens, index) => {
    const token = tokens[index];
    const { language, path } = fenceInfo(token?.info ?? '');
    const named = path === undefined ? '' : ` data-path="${escapeHtml(path)}"`;
    return `<pre data-language="${escapeHtml(language)}"${named}><code>${escapeHtml(token?.content ?? '')}</code></pre>`;
  };
  rules['code_block'] = (tokens, index) =>
    `<pre data-language=""><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>`;
  // Alignment comes as an inline style, which the page's policy forbids.
  for (const rule of ['th_open', 'td_open']) {
    rules[rule] = (tokens, index) => {
      const token = tokens[index];
      const align = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
      // A column of sentences keeps some width beside code, which does not wrap; the table scrolls.
      const isLong = (tokens[index + 1]?.content.length ?? 0) > 24;
      const classes = [...(align === undefined ? [] : [`align-${align}`]), ...(isLong ? ['long'] : [])].join(' ');
      return classes === '' ? `<${token?.tag}>` : `<${token?.tag} class="${classes}">`;
    };
  }
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  return markdown;
}

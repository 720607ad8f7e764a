/**
 * Peers' way of drawing an answer that streams, in the browser: the whole message again in each frame in which text came. It
 * is JavaScript, so that types and lint do not depend on whether the peers are installed.
 */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { createElement, memo } from 'react';
import { createRoot } from 'react-dom/client';
import ReactMarkdown from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';

const plugins = { remarkPlugins: [remarkGfm], rehypePlugins: [rehypeHighlight] };
const Block = memo(({ text }) => createElement(ReactMarkdown, plugins, text));
const toBlock = ({ raw }) => createElement(Block, { text: raw });

/** Each is given the element to draw into, and gives what draws the whole text so far. */
const peers = {
  'react-markdown': (target) => {
    const root = createRoot(target);
    return (text) => root.render(createElement(ReactMarkdown, plugins, text));
  },
  /** The text is split by marked, and a block that did not change is not drawn again, as in Cline. */
  'react-markdown, memoised blocks': (target) => {
    const root = createRoot(target);
    return (text) => root.render(createElement('div', {}, ...marked.lexer(text).map(toBlock)));
  },
  marked: (target) => (text) => {
    target.innerHTML = DOMPurify.sanitize(marked.parse(text));
  },
};

const frame = `<div class="stage"><div class="conversation"><div class="messages"><article class="answer"><div class="markdown">
<div class="markdown-blocks"></div></div></article></div></div></div>`;

const lastWord = (text) => text.slice(-1000).match(/\w+/g)?.at(-1);

/**
 * Streams tokens by the clock into an answer in the panel's own style, and resolves when all of it is drawn.
 * @param every draws at most once in so many milliseconds; 0 for each frame
 */
globalThis.streamToPeer = (name, tokens, perSecond, every) => {
  const root = document.getElementById('root');
  root.innerHTML = frame;
  const scroller = root.querySelector('.conversation');
  const target = root.querySelector('.markdown-blocks');
  const draw = peers[name](target);
  const started = performance.now();
  let text = '';
  let sent = 0;
  let isDue = false;
  let drawnAt = 0;
  return new Promise((resolve) => {
    /** React draws after the frame in which it was asked to. */
    const finish = () => {
      if (lastWord(target.textContent) !== lastWord(text)) return setTimeout(finish, 4);
      scroller.scrollTop = scroller.scrollHeight;
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    };
    const drawAll = () => {
      isDue = false;
      drawnAt = performance.now();
      scroller.scrollTop = scroller.scrollHeight;
      draw(text);
      if (sent === tokens.length) setTimeout(finish);
    };
    const timer = setInterval(() => {
      const due = Math.min(tokens.length, Math.floor(((performance.now() - started) * perSecond) / 1000));
      if (due === sent) return;
      text += tokens.slice(sent, due).join('');
      sent = due;
      const isEnd = sent === tokens.length;
      if (isEnd) clearInterval(timer);
      if (isDue || (!isEnd && performance.now() - drawnAt < every)) return;
      isDue = true;
      requestAnimationFrame(drawAll);
    }, 4);
  });
};

import type { MarkdownIt } from 'markdown-it';
import type { Strings } from '../../shared/protocol/protocol.ts';

/** `- [ ]` and `- [x]`: items of a list that begin with a box, which shows its state and takes no click. */
export function addTaskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task_lists', ({ tokens, Token }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'inline' || tokens[index - 2]?.type !== 'list_item_open') continue;
      const first = token.children?.[0];
      const [mark, state] = (first?.type === 'text' && /^\[([ xX])\]\s/.exec(first.content)) || [];
      if (first === undefined || mark === undefined) continue;
      first.content = first.content.slice(mark.length);
      const box = new Token('task', 'span', 0);
      box.content = state === ' ' ? 'open' : 'done';
      token.children?.unshift(box);
      tokens[index - 2]?.attrJoin('class', 'task-item');
    }
  });
  markdown.renderer.rules['task'] = (tokens, index) =>
    `<span class="task" data-task="${tokens[index]?.content}"></span>`;
}

/** Makes boxes of the marks that the parser left. */
export function dressTasks(nodes: ParentNode, strings: Strings): void {
  for (const box of nodes.querySelectorAll('.task[data-task]')) {
    box.setAttribute('role', 'checkbox');
    box.setAttribute('aria-checked', String(box.getAttribute('data-task') === 'done'));
    box.setAttribute('aria-disabled', 'true');
    box.setAttribute('aria-label', strings['task'] ?? '');
  }
}

import type { FileReference, FromChatPanel } from '../shared/protocol/protocol.ts';

/** Sends a click on a link (or Enter on it) to the host, which shows where it leads before it opens anything. */
export function followLinks(root: HTMLElement, post: (message: FromChatPanel) => void): void {
  const follow = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('a, [data-open]') : null;
    if (link === null) return;
    event.preventDefault();
    event.stopPropagation();
    const href = link.getAttribute('data-href');
    const file = link.getAttribute('data-open');
    if (file !== null) post({ type: 'openFile', ...(JSON.parse(file) as FileReference) });
    else if (href !== null) post({ type: 'openLink', href });
  };
  root.addEventListener('click', follow);
  root.addEventListener('auxclick', follow);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') follow(event);
  });
}

import { element, iconButton } from '../../parts/dom.ts';
import { isTerminalText } from '../../shared/shellLanguages.ts';
import type { CodePage } from './codePage.ts';
import { diffPaths, isOpenDiff, namedFile, nameWithin } from './namedFile.ts';

/**
 * The button that applies a block of code to a file. It stands on code that can be applied alone: what is typed into a shell, or was
 * printed, only where a file is named for it; a diff of files only once one of them is known to be in the workspace.
 * @param text gives the code, which may still grow
 * @param closed whether the block is at its end: only then is told what it is
 */
export function applyButton(
  pre: HTMLElement,
  text: () => string,
  language: string,
  page: CodePage,
  closed: boolean,
): HTMLButtonElement {
  const { strings, actions, files } = page;
  const apply = (): void => actions.apply(text(), namedFile(pre, text()));
  const button = iconButton('git-stash-apply', strings['apply'] ?? '', apply);
  button.classList.add('apply-code');
  button.append(element('span', { class: 'button-word', text: strings['applyWord'] ?? '' }));
  if (isTerminalText(language)) {
    button.hidden = (pre.getAttribute('data-path') ?? nameWithin(text())) === undefined;
    // What stands above the block is on the page with it, or already there.
    queueMicrotask(() => {
      button.hidden = namedFile(pre, text()) === undefined;
    });
  } else if (/^(?:diff|patch|udiff)$/i.test(language)) {
    button.hidden = !closed || !isOpenDiff(text());
    const show = (): void => {
      button.hidden = false;
    };
    if (closed && button.hidden) files.whenFound(diffPaths(text()), button, show);
  }
  return button;
}

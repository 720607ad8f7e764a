/** What the keys of the page do. Each gives false where there is nothing to do: then the key does what it does elsewhere. */
export interface PageKeys {
  play(): unknown;
  seekBy(seconds: number): unknown;
  stepLine(by: 1 | -1): unknown;
  loop(): unknown;
  follow(): unknown;
  /** Edits the line at which the keyboard is. */
  edit(): unknown;
  undo(): unknown;
  redo(): unknown;
  find(): unknown;
  /** Finds, with the row to replace. */
  replace(): unknown;
  stepCheck(by: 1 | -1): unknown;
  /** Asks who speaks in the line at which the keyboard is. */
  name(): unknown;
  /** Ticks the line off at which the keyboard is. */
  tick(): unknown;
}

/** How far the arrow keys seek, in seconds. */
const seekStep = 5;

/** Keys of the page, wherever the focus is; a key that a part of the page has for itself does not come here. */
export function listenToKeys(keys: () => PageKeys | undefined): void {
  document.addEventListener('keydown', (event) => {
    const actions = keys();
    if (actions === undefined || event.isComposing || event.defaultPrevented || event.altKey) return;
    const act = actionOf(event, actions);
    if (act === undefined || act() === false) return;
    event.preventDefault();
    // VS Code would find or undo in an editor, too.
    event.stopPropagation();
  });
}

function actionOf(event: KeyboardEvent, actions: PageKeys): (() => unknown) | undefined {
  const { key, ctrlKey, metaKey, shiftKey, repeat } = event;
  const target = event.target instanceof Element ? event.target : document.body;
  const isText = target.matches('textarea, input:not([type=range])');
  if (ctrlKey !== metaKey) return withControl(key.toLowerCase(), shiftKey, isText, actions);
  if (ctrlKey || isText) return undefined;
  if (key === 'F8') return () => actions.stepCheck(shiftKey ? -1 : 1);
  if (shiftKey || target.matches('select')) return undefined;
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return () => actions.seekBy(key === 'ArrowLeft' ? -seekStep : seekStep);
  if (key === 'ArrowUp' || key === 'ArrowDown') return () => actions.stepLine(key === 'ArrowUp' ? -1 : 1);
  if (repeat) return undefined;
  if (key === 'F2' || (key === 'Enter' && target.matches('.segment'))) return actions.edit;
  // A button that has the focus is pressed by the space bar.
  if (key === ' ' && !target.matches('button')) return actions.play;
  return { l: actions.loop, f: actions.follow, c: actions.tick, n: actions.name }[key.toLowerCase()];
}

function withControl(key: string, shiftKey: boolean, isText: boolean, actions: PageKeys): (() => unknown) | undefined {
  if (key === 'f' && !shiftKey) return actions.find;
  if (key === 'h' && !shiftKey) return actions.replace;
  // A box has its own undo.
  if (isText) return undefined;
  if (key === 'z') return shiftKey ? actions.redo : actions.undo;
  return key === 'y' && !shiftKey ? actions.redo : undefined;
}

/**
 * The suite's mouse and keyboard: presses, clicks and reads in the window that shows this extension host. Where the
 * functions take a `frame`, it is a selector that the wanted webview of Parley contains.
 */
import { commands } from 'vscode';
import type { AxeFinding, HandsReply, HandsRequest } from '../../handsProtocol.ts';
import { until } from './until.ts';

async function ask(request: HandsRequest): Promise<unknown> {
  try {
    return await askOnce(request);
  } catch (error) {
    // What the window says tells more often why than what was looked for in vain.
    const shown = await whatIsShown().catch(() => 'nothing that could be read');
    throw new Error(`${error instanceof Error ? error.message : error}\nThe window showed: ${shown}`);
  }
}

async function whatIsShown(): Promise<string> {
  await commands.executeCommand('notifications.showList');
  const shown: string[] = [];
  for (const part of ['.monaco-dialog-box', '.quick-input-widget', '.notifications-center', '.statusbar']) {
    // What is hidden gives its style sheets, too.
    const found = (await askOnce({ do: 'texts', selector: `${part}:visible` })) as string[];
    shown.push(...found.filter(Boolean).map((text) => `${part} ${text.replaceAll(/\s+/g, ' ')}`));
  }
  return shown.join('\n');
}

async function askOnce(request: HandsRequest): Promise<unknown> {
  const address = process.env.PARLEY_TEST_HANDS;
  if (address === undefined) throw new Error('PARLEY_TEST_HANDS is not set: the suite runs without a window to drive.');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(request) });
  const reply = (await response.json()) as HandsReply;
  if ('error' in reply) throw new Error(`${request.do}: ${reply.error}`);
  return reply.value;
}

interface Where {
  readonly frame?: string;
  /** Whose webview it is, where it is none of Parley. */
  readonly extension?: string;
  /** Whether it stands in a view or in an editor tab, where there may be both. */
  readonly place?: 'view' | 'tab';
  /** The window that was opened last, in the place of the first. */
  readonly window?: 'second';
  /** In milliseconds; 15 s without it. */
  readonly timeout?: number;
}

/** The folder in one more window, with an extension host of its own on the same storage. What is done in it is given `second`. */
export const secondWindow = {
  /** Opens it, or loads it anew. */
  async open(): Promise<void> {
    await ask({ do: 'openWindow' });
  },
  async close(): Promise<void> {
    await ask({ do: 'closeWindow' });
  },
  /** Shows a view of the secondary side bar, by its title there; once, as VS Code may have drawn another one by itself. */
  async show(title: string, isShown: () => Promise<boolean>): Promise<void> {
    const tab = `.part.auxiliarybar .composite-bar .action-item:not(.checked) .action-label[aria-label^="${title}"]`;
    await until(`“${title}” is shown in the second window`, async () => {
      if (await visible(tab, second)) await askOnce({ do: 'click', selector: tab, ...second }).catch(() => {});
      return isShown();
    });
  },
};
const second = { window: 'second' } as const;

/** Presses a key or a chord, as Playwright names them: `Enter`, `Control+Shift+P`. */
export async function press(key: string, where: Pick<Where, 'window'> = {}): Promise<void> {
  await ask({ do: 'press', key, ...where });
}

/** Types into whatever has the focus. */
export async function type(text: string): Promise<void> {
  await ask({ do: 'type', text });
}

export async function click(selector: string, where: Where = {}): Promise<void> {
  await ask({ do: 'click', selector, ...where });
}

export async function rightClick(selector: string, where: Where = {}): Promise<void> {
  await ask({ do: 'click', button: 'right', selector, ...where });
}

/** Chooses an entry of the menu of something. VS Code may close a menu before the click, when something gets the focus late: then it is opened again. */
export async function chooseInMenu(
  target: string,
  label: string,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> {
  const entry = `.monaco-menu .action-label:text-is("${label}")`;
  await until(`“${label}” has done its work`, async () => {
    if (!(await visible(entry))) await rightClick(target, { timeout: 5_000 }).catch(() => {});
    // A menu ignores a click that comes right after it has opened, to be safe from a slip of the hand.
    await click(entry, { timeout: 500 }).catch(() => {});
    return until('it has', isDone, 3_000).catch(() => false);
  });
}

/** Drags what a selector matches to what another one does, both in the workbench. */
export async function drag(selector: string, to: string): Promise<void> {
  await ask({ do: 'drag', selector, to });
}

export async function hover(selector: string, where: Where = {}): Promise<void> {
  await ask({ do: 'hover', selector, ...where });
}

/**
 * Rests the mouse on something until a hover with `shown` is there. It comes from elsewhere each time: a mouse that rests
 * tells of nothing new, and where the list under it was drawn anew meanwhile, no hover comes.
 */
export async function untilHovered(selector: string, shown: string): Promise<void> {
  await until(`a hover over ${selector}`, async () => {
    await ask({ do: 'moveAway' });
    await hover(selector);
    const seen = askOnce({ do: 'waitFor', selector: shown, state: 'visible', timeout: 3000 });
    return seen.then(
      () => true,
      () => false,
    );
  });
}

export async function focus(selector: string, where: Where = {}): Promise<void> {
  await ask({ do: 'focus', selector, ...where });
}

/** Replaces the content of an input or a textarea. */
export async function fill(selector: string, value: string, where: Where = {}): Promise<void> {
  await ask({ do: 'fill', selector, value, ...where });
}

/** The visible text of the first match; waits for it. */
export async function text(selector: string, where: Where = {}): Promise<string> {
  return String(await ask({ do: 'text', selector, ...where }));
}

/** The texts of all matches that are there now. */
export async function texts(selector: string, where: Where = {}): Promise<string[]> {
  return (await ask({ do: 'texts', selector, ...where })) as string[];
}

/** An attribute of the first match, `null` where it has none; waits for the element. */
export async function attribute(selector: string, name: string, where: Where = {}): Promise<string | null> {
  return ((await ask({ do: 'attribute', selector, name, ...where })) ?? null) as string | null;
}

/** What an input or a textarea holds. */
export async function value(selector: string, where: Where = {}): Promise<string> {
  return String(await ask({ do: 'value', selector, ...where }));
}

export async function visible(selector: string, where: Where = {}): Promise<boolean> {
  return (await ask({ do: 'visible', selector, ...where })) === true;
}

export async function waitFor(selector: string, where: Where & { state?: 'visible' | 'hidden' } = {}): Promise<void> {
  const { state = 'visible', ...rest } = where;
  await ask({ do: 'waitFor', selector, state, ...rest });
}

/** Writes `out/host/<name>.png`. */
export async function screenshot(name: string, where: Pick<Where, 'window'> = {}): Promise<void> {
  await ask({ do: 'screenshot', name, ...where });
}

/** Writes the picture of a failure where such pictures are looked for, `out/failures/<window>/<name>.png`. */
export async function screenshotOfFailure(name: string): Promise<void> {
  await ask({ do: 'screenshot', name, failed: true });
}

/** What axe-core finds wrong in a webview; empty when all is well. */
export async function axe(frame: string): Promise<AxeFinding[]> {
  return (await ask({ do: 'axe', frame })) as AxeFinding[];
}

const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** The row with exactly that label; XPath, because what was searched for is marked by elements inside the label. */
const item = (label: string) =>
  `//*[contains(@class, "quick-input-list")]//*[contains(concat(" ", @class, " "), " monaco-list-row ")]` +
  `[.//*[contains(@class, "label-name")][normalize-space(.) = ${JSON.stringify(label)}]]`;

/** The one-line box that `showInputBox` opens. */
export const inputBox = {
  /** What the box asks: its title and the message under it. */
  async message(): Promise<string> {
    await waitFor(`${quickInput} .quick-input-box input`);
    return (await texts(`${quickInput} :is(.quick-input-title, .quick-input-message)`)).filter(Boolean).join('\n');
  },
  /** Whether what is typed is hidden, as a key must be. */
  async isPassword(): Promise<boolean> {
    return (await attribute(`${quickInput} .quick-input-box input`, 'type')) === 'password';
  },
  value: (): Promise<string> => value(`${quickInput} .quick-input-box input`),
  /** Replaces the content. */
  write: (value: string): Promise<void> => fill(`${quickInput} .quick-input-box input`, value),
  /** Replaces the content and presses Enter. @param title of the box, where a list was open just before */
  async enter(value: string, title?: string): Promise<void> {
    if (title !== undefined) await waitFor(`${quickInput} .quick-input-title:text-is(${JSON.stringify(title)})`);
    await waitFor(`${quickInput} .quick-input-box input`);
    await inputBox.write(value);
    await press('Enter');
  },
};

/** VS Code's own file dialog, which is a quick input where VS Code runs in a browser. */
export const fileDialog = {
  /**
   * Chooses a file. It stands in the folder that the dialog offers: a path elsewhere makes VS Code read that folder meanwhile.
   * @param title of the dialog @param offered what VS Code writes into the box once it has read the folder: until then an
   * Enter is kept, and takes whatever is there later @param path of the file
   */
  async choose(title: string, offered: string, path: string): Promise<void> {
    const ofDialog = `${quickInput} .quick-input-title:text-is(${JSON.stringify(title)})`;
    await waitFor(ofDialog);
    await until(`${offered} is offered`, async () => (await inputBox.value()) === offered);
    if (path !== offered) await inputBox.write(path);
    await press('Enter');
    await waitFor(ofDialog, { state: 'hidden' });
  },
};

/** The list that `showQuickPick` or a command palette opens. */
export const quickPick = {
  /** The labels that are drawn now; of a long list, those that are scrolled into sight. */
  async items(): Promise<string[]> {
    await waitFor(`${quickInput} .quick-input-list .monaco-list-row`);
    return texts(`${quickInput} .quick-input-list .monaco-list-row .quick-input-list-row:first-child .label-name`);
  },
  async filter(value: string): Promise<void> {
    await fill(`${quickInput} .quick-input-box input`, value);
  },
  /** Waits for the question whose grey text in the empty box is this. */
  untilAsked: (placeholder: string): Promise<void> =>
    waitFor(`${quickInput} .quick-input-box input[placeholder=${JSON.stringify(placeholder)}]`),
  untilListed: (label: string): Promise<void> => waitFor(item(label)),
  /** Clicks the item with that label. */
  choose: (label: string): Promise<void> => click(item(label)),
  async untilClosed(): Promise<void> {
    await waitFor('.quick-input-widget', { state: 'hidden' });
  },
};

/** A modal dialog (`showWarningMessage` with `modal`). */
export const dialog = {
  /** Its message and detail. */
  text: (): Promise<string> => text('.monaco-dialog-box .dialog-message-container'),
  press: (label: string): Promise<void> => click(`.monaco-dialog-box .monaco-button:text-is(${JSON.stringify(label)})`),
  /** Answers what is still asked with Escape. */
  async dismiss(): Promise<void> {
    await until('no dialog is open', async () => {
      if (!(await visible('.monaco-dialog-box'))) return true;
      await press('Escape');
      return false;
    });
  },
};

/**
 * What Parley tells the user (`showErrorMessage` and its kin), newest first. A VS Code that is driven by tests shows no
 * toasts, so the notification centre is opened.
 */
export const notification = {
  /** The messages that are there now, but for VS Code's own about extensions that are slow to start. */
  async texts(): Promise<string[]> {
    await commands.executeCommand('notifications.showList');
    const all = await texts('.notifications-center .notification-list-item-message');
    return all.filter((message) => message !== 'Activating Extensions...');
  },
  /** The newest message; waits for one. */
  text: (): Promise<string> => until('a notification', async () => (await notification.texts())[0]),
  /**
   * Waits for a message that holds `part`, and gives the whole of it. It is read twice: a message that was
   * cleared long before was once seen in the list again, most likely in a row that VS Code was about to use for another.
   */
  untilSaid: (part: string): Promise<string> =>
    until(`a notification says “${part}”`, async () => {
      const said = (await notification.texts()).find((message) => message.includes(part));
      return said !== undefined && (await notification.texts()).includes(said) ? said : undefined;
    }),
  /**
   * Presses a button of any notification; waits for it. The list is shown again and again: empty, it does not open. It is
   * pressed in one step, as progress that has ended stays in the list for most of a second, and what is above it then moves.
   */
  async press(label: string): Promise<void> {
    const button = `.notifications-center .notification-list-item .monaco-button:text-is(${JSON.stringify(label)})`;
    await until(`a notification with the button “${label}”`, async () => {
      await commands.executeCommand('notifications.showList');
      return visible(button);
    });
    await ask({ do: 'pressButton', selector: button });
  },
  async clear(): Promise<void> {
    await commands.executeCommand('notifications.clearAll');
  },
};

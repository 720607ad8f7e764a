/** What a person does in the workbench, said in their words. */
import type { Frame, Locator, Page } from 'playwright-core';
import { frameWith } from '../hands.ts';

const quickInput = '.quick-input-widget';
/** A busy machine takes its time to start VS Code's extension host and with it a view, in milliseconds. */
const patienceForViews = 60_000;

const box = `${quickInput} .quick-input-box input`;

/** Runs a command by its title in the command palette. @param patience for how long it may be missing there, in milliseconds */
export async function runCommand(page: Page, title: string, patience = patienceForViews): Promise<void> {
  await quickPick(page, 'F1', `>${title}`, title, patience);
}

/** Opens a quick pick by its key, types, and chooses. A view that takes the focus meanwhile closes it: then once more, for as long as a busy machine may take. */
async function quickPick(
  page: Page,
  key: string,
  text: string,
  label: string,
  patience = patienceForViews,
): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      await page.keyboard.press(key);
      await page.locator(box).fill(text, { timeout: 5000 });
      await pickRow(page, label).click({ timeout: 5000 });
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/** The row of a quick pick with exactly that label; a part of the label may be marked by elements of its own. */
export function pickRow(page: Page, label: string | RegExp): Locator {
  const exact = typeof label === 'string' ? new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : label;
  return page
    .locator(`${quickInput} .quick-input-list .monaco-list-row`)
    .filter({ has: page.locator('.label-name', { hasText: exact }) })
    .first();
}

export async function chooseItem(page: Page, label: string | RegExp): Promise<void> {
  await pickRow(page, label).click();
}

/** Chooses a model in the question whose grey text in the box says what the model does. */
export async function chooseModel(page: Page, does: string, model: string): Promise<void> {
  await page.locator(`${box}[placeholder*="${does}"]`).waitFor();
  await chooseItem(page, model);
}

/** Types an answer into the box on top, once its title holds `title`; it is the person's to press Enter. */
export async function typeAnswer(page: Page, title: string, answer: string): Promise<void> {
  await page.locator(`${quickInput} .quick-input-title`, { hasText: title }).waitFor();
  await page.locator(box).fill('');
  await page.keyboard.type(answer);
}

/** Opens a file of the folder by a part of its path. */
export async function openFile(page: Page, path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  await quickPick(page, 'Control+P', path, name);
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** Selects whole lines, counted from 1, of the editor that is open. */
export async function selectLines(page: Page, first: number, last: number): Promise<void> {
  await page.keyboard.press('Control+G');
  await page.locator(box).fill(`:${first}`);
  // Enter does nothing until the list has taken in what was typed.
  await page.locator(`${quickInput} .monaco-list-row`, { hasText: new RegExp(`line ${first}\\b`) }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(quickInput).waitFor({ state: 'hidden' });
  for (let line = first; line <= last; line += 1) await page.keyboard.press('Shift+ArrowDown');
}

/** Clicks through a context menu: right-clicks the target, points at each label in turn, and clicks the last. */
export async function chooseInMenu(page: Page, target: Locator, ...labels: string[]): Promise<void> {
  // Near its beginning: the middle of a long line may be out of sight, and the editor would scroll there.
  await target.click({ button: 'right', position: { x: 20, y: 8 } });
  for (const label of labels) await menuEntry(page, label).hover();
  const last = menuEntry(page, labels.at(-1) ?? '');
  // A menu ignores a click that comes right after it has opened, to be safe from a slip of the hand.
  for (let attempt = 0; attempt < 5 && (await last.isVisible()); attempt += 1) {
    await last.click();
    await last.waitFor({ state: 'hidden', timeout: 1000 }).catch(() => {});
  }
}

function menuEntry(page: Page, label: string): Locator {
  return page.locator('.monaco-menu .action-label', { hasText: new RegExp(`^${label}$`) });
}

/** Waits for a notification that holds the text and gives all of its words. */
export async function readNotification(page: Page, part: string): Promise<string> {
  const message = page.locator('.notifications-toasts .notification-list-item-message', { hasText: part });
  const text = await message.first().innerText();
  // The progress of what has just ended stands beside it for a moment.
  const progress = page.locator('.notifications-toasts .monaco-button', { hasText: 'Cancel' });
  await progress.first().waitFor({ state: 'hidden' });
  return text;
}

export async function clearNotifications(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
}

/** The chat panel's document. */
export function chatPanel(page: Page): Promise<Frame> {
  return frameWith(page, '.composer', patienceForViews);
}

/** Types a question, choosing from the list what each word with `@` begins; what is attached is in sight then. */
export async function typeWithMentions(panel: Frame, text: string): Promise<void> {
  const box = panel.locator('.composer .box');
  await box.fill('');
  for (const part of text.split(/(@[\w.]+)/)) {
    await box.pressSequentially(part);
    if (!part.startsWith('@')) continue;
    const name = part.slice(1);
    await panel.locator('.completion[aria-selected=true] .completion-label', { hasText: name }).waitFor();
    await box.press('Tab');
    await panel.locator('.composer li.chip', { hasText: name }).last().waitFor();
    // What is chosen ends in a blank, and so does this word.
    await box.press('Backspace');
  }
}

/** Asks in the chat. */
export async function ask(panel: Frame, text: string): Promise<void> {
  await panel.locator('.composer .box').fill(text);
  await panel.locator('.composer .box').press('Enter');
}

/** The page of a translated recording. */
export async function transcriptPage(page: Page, fileName: string): Promise<Frame> {
  const frame = await frameWith(page, `h1:text-is("${fileName}")`, patienceForViews);
  // The icons are a font, which comes after the page.
  await frame.evaluate(() => document.fonts.ready.then(() => undefined));
  return frame;
}

/** The first CodeLens in sight with that title. */
export function lens(page: Page, title: string): Locator {
  return page.locator('.codelens-decoration a', { hasText: title }).first();
}

/** The first row of CodeLenses in sight that says so: what only tells something is no button. */
export function lensRow(page: Page, text: string): Locator {
  return page.locator('.codelens-decoration', { hasText: text }).first();
}

/** Asks for an edit of some lines of a file, and waits for its review. */
export async function proposeEdit(page: Page, path: string, lines: [number, number], instruction: string) {
  await openFile(page, path);
  await selectLines(page, ...lines);
  await editSelection(page, instruction);
  await lens(page, 'Accept').waitFor();
}

/** Asks for an edit of what is selected. */
export async function editSelection(page: Page, instruction: string): Promise<void> {
  await runCommand(page, 'Parley: Edit With Instruction');
  await typeAnswer(page, 'Edit', instruction);
  await page.keyboard.press('Enter');
}

/** The row of a file in the view of the changes, below that of the question, which may name it, too. */
export function changedRow(page: Page, name: string): Locator {
  return page.locator('.part.auxiliarybar .monaco-list-row[aria-level="2"]', { hasText: name });
}

/** Shows the review of a file by its row in the view of the changes. */
export async function openReview(page: Page, name: string): Promise<void> {
  await changedRow(page, name).click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
}

/** Searches, and keeps the list in the view once it holds a hit with that label. */
export async function keepResults(page: Page, query: string, hit: RegExp): Promise<void> {
  await runCommand(page, 'Parley: Search Code by Meaning');
  await typeAnswer(page, 'Search Code by Meaning', query);
  await pickRow(page, hit).waitFor();
  await page.locator('.quick-input-titlebar [aria-label="Keep the Results in the View"]').click();
}

/** Shows the chat, which stands in the secondary side bar beside VS Code's own. */
export async function showChat(page: Page): Promise<void> {
  const bar = page.locator('.part.auxiliarybar');
  if (!(await bar.isVisible())) {
    await page.keyboard.press('Control+Alt+B');
    // In a narrow one the names of some views stand in a menu.
    await setWidth(page, 'auxiliarybar', 420);
  }
  await bar.locator('.composite-bar .action-item', { hasText: 'Parley' }).first().click();
  await (await chatPanel(page)).locator('.composer, .welcome').first().waitFor();
}

/** Shows Code Search in the side bar. */
export async function showSearch(page: Page): Promise<void> {
  const icon = page.locator('.activitybar .action-item', { has: page.locator('[aria-label^="Code Search"]') });
  if ((await icon.getAttribute('aria-selected')) !== 'true') await icon.click();
}

/** Where the mouse rests, what is below it is drawn otherwise: a border as one that is dragged, a row with a hover. */
export async function moveAway(page: Page): Promise<void> {
  await page.mouse.move(700, 3);
  await page.locator('.workbench-hover').first().waitFor({ state: 'hidden' });
}

export type SideBar = 'sidebar' | 'auxiliarybar';

/** Drags the border of a side bar until it is that wide, in pixels. The secondary one stands at the right. */
export async function setWidth(page: Page, part: SideBar, width: number): Promise<void> {
  const bar = page.locator(`.part.${part}`);
  const before = await bar.boundingBox();
  if (before === null) throw new Error(`The ${part} is hidden.`);
  const isAtRight = part === 'auxiliarybar';
  const y = before.y + before.height / 2;
  const borderOf = (wide: number): number => before.x + (isAtRight ? before.width - wide - 2 : wide + 2);
  await page.mouse.move(borderOf(before.width), y);
  await page.mouse.down();
  await page.mouse.move(borderOf(width), y, { steps: 5 });
  await page.mouse.up();
  await moveAway(page);
  await untilWide(bar, part, width);
}

/** The workbench lays its parts out a while after the mouse was let go. */
async function untilWide(bar: Locator, part: SideBar, width: number): Promise<void> {
  const end = performance.now() + patienceForViews;
  for (;;) {
    const after = await bar.boundingBox();
    if (after !== null && Math.abs(after.width - width) <= 8) return;
    if (performance.now() > end) throw new Error(`The ${part} is ${after?.width} px wide.`);
    await bar.page().waitForTimeout(50);
  }
}

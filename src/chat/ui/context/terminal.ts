import { randomUUID } from 'node:crypto';
import { commands, env } from 'vscode';

/**
 * What is selected in the active terminal; `''` for nothing. VS Code gives it to extensions only by the clipboard, whose text is put
 * back; anything else in it, such as an image, is lost, as by any copying.
 */
export async function copyTerminalSelection(): Promise<string> {
  const before = await env.clipboard.readText();
  // Where nothing is selected nothing is copied, and the mark stays.
  const mark = randomUUID();
  await env.clipboard.writeText(mark);
  try {
    await commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await env.clipboard.readText();
    return copied === mark ? '' : copied;
  } finally {
    await env.clipboard.writeText(before);
  }
}

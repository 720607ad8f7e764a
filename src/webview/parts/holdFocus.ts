/** What became of the button with the focus. */
export interface Held {
  /** Its message is gone, or stands without such a button. */
  readonly isLost: boolean;
  /**
   * Given where it stands in another version of its message: how far it is now from where it was on the screen, in pixels.
   * Undefined as soon as it is gone.
   */
  readonly movedBy?: () => number | undefined;
}

const asItWas: Held = { isLost: false };

/**
 * Gives the focus back to a button whose message is drawn anew: whoever steps through versions would begin each step at the top
 * of the page. Call it before the list of messages is drawn, and what it gives afterwards.
 */
export function holdFocus(list: HTMLElement): () => Held {
  const focused = document.activeElement;
  // What is focused in a page without the focus would take it from where the user is.
  if (!(focused instanceof HTMLElement) || !list.contains(focused) || !document.hasFocus()) return () => asItWas;
  const index = Array.from(list.children).findIndex((message) => message.contains(focused));
  const before = list.children[index];
  const { top } = focused.getBoundingClientRect();
  return () => {
    if (focused.isConnected) return asItWas;
    const message = list.children[index];
    const isOther = message !== before;
    // In another message only the stepper is the same button: Delete, pressed twice, would delete two.
    const buttons = message?.querySelectorAll<HTMLElement>(isOther ? '.versions button' : 'button') ?? [];
    const button = Array.from(buttons).find((each) => each.title === focused.title);
    button?.focus({ preventScroll: true });
    if (button === undefined) return { isLost: true };
    if (!isOther) return asItWas;
    return {
      isLost: false,
      movedBy: () => (button.isConnected ? button.getBoundingClientRect().top - top : undefined),
    };
  };
}

/** What the suite, inside VS Code, can ask of the hands that hold the window's mouse and keyboard. */

/** How long the hands wait for what they were asked for, when the request does not say. In milliseconds. */
export const patience = 60_000;

interface Windowed {
  /** The window that was opened last, by VS Code for an editor or by `openWindow`, in the place of its first. */
  readonly window?: 'second' | undefined;
}

/** `frame`: a selector that the wanted webview of Parley contains; without it, the workbench itself is meant. */
interface Target extends Windowed {
  readonly selector: string;
  readonly frame?: string | undefined;
  /** The id of the extension whose webview it is; without it, Parley's. */
  readonly extension?: string | undefined;
  /** Whether the webview stands in a view or in an editor tab; without it, in any. */
  readonly place?: 'view' | 'tab' | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
}

export type HandsRequest =
  | ({ readonly do: 'press'; readonly key: string } & Windowed)
  | { readonly do: 'type'; readonly text: string }
  /** Opens the folder in one more window, with Parley and without the suite, or loads that window anew. */
  | { readonly do: 'openWindow' }
  | { readonly do: 'closeWindow' }
  /** Takes the mouse into the corner of the window, whatever is there. */
  | { readonly do: 'moveAway' }
  | ({ readonly do: 'click'; readonly button?: 'left' | 'right' | undefined } & Target)
  /** Presses a button of VS Code in one step: what it draws anew between mouse down and mouse up takes no click. */
  | ({ readonly do: 'pressButton' } & Target)
  | ({ readonly do: 'hover' | 'focus' | 'text' | 'texts' | 'value' } & Target)
  | ({ readonly do: 'visible' } & Target)
  /** Takes something with the mouse and lets it go over something else. */
  | ({ readonly do: 'drag'; readonly to: string } & Target)
  | ({ readonly do: 'fill'; readonly value: string } & Target)
  | ({ readonly do: 'attribute'; readonly name: string } & Target)
  | ({ readonly do: 'waitFor'; readonly state: 'visible' | 'hidden' } & Target)
  /** `failed`: it shows what went wrong, and goes where such pictures are looked for. */
  | ({ readonly do: 'screenshot'; readonly name: string; readonly failed?: boolean | undefined } & Windowed)
  | { readonly do: 'axe'; readonly frame: string };

/** `value` is text for `text`, `value` and `attribute`, texts for `texts` and `axe`, a boolean for `visible`, else absent. */
export type HandsReply = { readonly value?: unknown } | { readonly error: string };

/** One finding of axe-core, as text: rule, impact, and the elements. */
export type AxeFinding = string;

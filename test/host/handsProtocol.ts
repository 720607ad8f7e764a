/** What the suite, inside VS Code, can ask of the hands that hold the window's mouse and keyboard. */

/** How long the hands wait for what they were asked for, when the request does not say. In milliseconds. */
export const patience = 15_000;

/** `frame`: a selector that the wanted webview of Parley contains; without it, the workbench itself is meant. */
interface Target {
  readonly selector: string;
  readonly frame?: string | undefined;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
}

export type HandsRequest =
  | { readonly do: 'press'; readonly key: string }
  | { readonly do: 'type'; readonly text: string }
  | ({ readonly do: 'click'; readonly button?: 'left' | 'right' | undefined } & Target)
  | ({ readonly do: 'hover' | 'focus' | 'text' | 'texts' } & Target)
  | ({ readonly do: 'visible' } & Target)
  | ({ readonly do: 'fill'; readonly value: string } & Target)
  | ({ readonly do: 'attribute'; readonly name: string } & Target)
  | ({ readonly do: 'waitFor'; readonly state: 'visible' | 'hidden' } & Target)
  | { readonly do: 'screenshot'; readonly name: string }
  | { readonly do: 'axe'; readonly frame: string };

/** `value` is text for `text` and `attribute`, texts for `texts` and `axe`, a boolean for `visible`, else absent. */
export type HandsReply = { readonly value?: unknown } | { readonly error: string };

/** One finding of axe-core, as text: rule, impact, and the elements. */
export type AxeFinding = string;

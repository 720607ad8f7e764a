/**
 * What the webviews and the extension say to each other. Shared types, no code that runs. Each message from a webview
 * is checked at the host by a strict schema with bounded sizes; a message to a webview is trusted.
 */

/** Strings a page shows, translated by the host. */
export type Strings = Readonly<Record<string, string>>;

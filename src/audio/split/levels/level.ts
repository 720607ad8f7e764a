export { decibels, silence } from '../../../webview/shared/soundScale.ts';

/** How loud a part of a recording is. */
export interface Loudness {
  /** In seconds. */
  start: number;
  end: number;
  /** In decibels; 0 is about the loudest, but only differences within one recording say anything. */
  decibels: number;
}

/** How a server is started: the program and its arguments. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry of a server in a configuration file. What else is in the file stays, with its comments. */
export interface ConfigEntry {
  /** Whether the file has it. @throws ConfigProblem */
  isIn(text: string): boolean;
  /** The text with the entry put in, or put right. @throws ConfigProblem where the file is not in its form */
  put(text: string, server: ServerCommand): string;
  /** The text without the entry. @throws ConfigProblem */
  remove(text: string): string;
  /** The entry alone, as it stands in the file. */
  alone(server: ServerCommand): string;
}

/** A configuration file that cannot be changed, as it is not in its form. */
export class ConfigProblem extends Error {}

/** The name under which the server is entered everywhere. */
export const serverName = 'parley-search';

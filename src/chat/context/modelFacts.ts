/** Tokens that a model reads and writes together, and those of them that are kept for its answer. */
export interface ContextWindow {
  readonly size: number;
  readonly answerRoom: number;
}

/** What the chat has to know of a model. */
export interface ModelFacts {
  readonly takesImages: boolean;
  /** Absent where nobody says. */
  readonly window?: ContextWindow;
}

/** The models of the service, as the chat is given them. */
export interface KnownModels {
  /** Asks the service where that has to be. Does not reject. */
  of(model: string): Promise<ModelFacts>;
  /** As far as it is known now. */
  known(model: string): ModelFacts | undefined;
  /** For a question that waits for it; undefined where the service takes too long to say. Does not reject. */
  soon(model: string, signal: AbortSignal): Promise<ModelFacts | undefined>;
}

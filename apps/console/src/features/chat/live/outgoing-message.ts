/** A message that a person sends to the agent. */
export interface OutgoingMessage {
  readonly session: string;
  readonly text: string;
  readonly files: readonly OutgoingFile[];
  /** Empty for the default model. */
  readonly model: string;
  /** Reasoning effort; empty: as the settings have it. */
  readonly effort: string;
  readonly incognito: boolean;
  /** Calls of its turn whose approval can be waived run without asking (F12). */
  readonly bypassApprovals?: boolean;
}

/** A file attached to a message; `raw` is its content in base64. */
export interface OutgoingFile {
  readonly name: string;
  readonly mediaType: string;
  readonly raw: string;
}

/** The text and files that go back into the composer because they could not be sent. */
export type UnsentMessage = Pick<OutgoingMessage, "text" | "files">;

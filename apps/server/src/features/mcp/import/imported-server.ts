/** An entry of `mcp.servers` in the file's spelling, as an import makes it. The slice reads and judges it. */
export interface McpServerDeclaration {
  readonly transport?: "stdio" | "streamable_http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly enabled?: false;
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  readonly oauth?: { readonly client_id?: string; readonly scopes?: readonly string[] };
}

/** A placeholder of an imported server: what a person is asked for. */
export interface ImportedInput {
  /** The placeholder's name. */
  readonly key: string;
  readonly label: string;
  readonly secret: boolean;
  /** Nothing stands for it while no value is given. */
  readonly required: boolean;
}

/** A server as another program's file has it. */
export interface ImportedServer {
  /** As the file names it, at most 200 characters. */
  readonly name: string;
  readonly declaration: McpServerDeclaration;
  readonly inputs: readonly ImportedInput[];
  /** What of the entry counts for nothing here, a sentence each. */
  readonly warnings: readonly string[];
}

/** An entry that is not imported, and one sentence that says why. */
export interface SkippedServer {
  readonly name: string;
  readonly reason: string;
}

/** What a text that is imported holds. */
export interface ReadImport {
  readonly servers: readonly ImportedServer[];
  readonly skipped: readonly SkippedServer[];
}

/** Nothing of the text can be imported; the message says what to change and repeats nothing of it. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly code = "mcp.unreadable_import";
}

/** Why one entry cannot be imported. */
export class EntryError extends Error {
  override readonly name = "EntryError";
  readonly code = "mcp.unreadable_entry";
}

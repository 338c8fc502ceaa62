/** How a server is reached. `sse` is the deprecated transport of 2024-11-05. */
export type McpTransport = "stdio" | "streamable_http" | "sse";

/** A program, connected to over its standard input and output. Its texts may hold placeholders: see `resolveTarget`. */
export interface StdioTarget {
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute, or from `~`; undefined: the service's own. */
  readonly cwd?: string;
}

/** A service at an address. Its texts may hold placeholders: see `resolveTarget`. */
export interface HttpTarget {
  readonly transport: "streamable_http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How one server is reached. */
export type ServerTarget = StdioTarget | HttpTarget;

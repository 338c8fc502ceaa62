/** Where a command's words go. */
export interface Sink {
  write(text: string): void;
  /** A person looks at it: colours, progress and tables cut to `columns`. */
  readonly terminal: boolean;
  readonly columns: number;
}

/** Lines of a person at a keyboard. */
export interface Keyboard {
  /** Asks; undefined when there is nothing more to come. Hidden: what is typed is not shown. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string | undefined>;
  /** Who is told of lines that nobody asked for; undefined: they are dropped. */
  listen(heard: ((line: string) => void) | undefined): void;
  close(): void;
}

/** What a command reads from and writes to: the process, or a test's. */
export interface CommandIo {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Undefined where no person can answer: standard input or output is no terminal. */
  readonly keyboard: (() => Keyboard) | undefined;
  /** What was piped in; undefined where standard input is a terminal. */
  readonly piped: (() => Promise<string>) | undefined;
  /** Calls `stop` at each Ctrl-C instead of ending the process, until what it returns is called. */
  onInterrupt(stop: () => void): () => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** The checkout the command is run from, if it is (N3). */
  readonly checkoutRoot: string | undefined;
}

/** An output of a command. */
export interface Sink {
  write(text: string): void;
  /** A person reads it: colours, progress and tables cut to `columns`. */
  readonly terminal: boolean;
  readonly columns: number;
}

/** Lines that a person types. */
export interface Keyboard {
  /** Asks; undefined at the end of the input. Hidden: the input is not shown. */
  ask(question: string, options?: { readonly hidden?: boolean }): Promise<string | undefined>;
  /** Sets the listener for lines that answer no question; undefined: they are dropped. */
  listen(listener: ((line: string) => void) | undefined): void;
  close(): void;
}

/** Input and output of a command: the process, or a test's. */
export interface CommandIo {
  readonly env: { readonly [name: string]: string | undefined };
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Undefined where no person can answer: standard input or output is no terminal. */
  readonly keyboard: (() => Keyboard) | undefined;
  /** The piped input; undefined where standard input is a terminal. */
  readonly piped: (() => Promise<string>) | undefined;
  /** The lines of piped input as they come, for a command that speaks a protocol; absent where there are none. */
  readonly lines?: (() => AsyncIterable<string>) | undefined;
  /** Calls `stop` at each Ctrl-C instead of ending the process, until the returned function is called. */
  onInterrupt(stop: () => void): () => void;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** The checkout the command is run from, if it is (N3). */
  readonly checkoutRoot: string | undefined;
}

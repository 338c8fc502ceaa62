import type { ParseArgsConfig } from "node:util";
import type { RemoteAgent } from "@agent-service/a2a-protocol/client";
import type { OperatorClient } from "@agent-service/operator-api/client";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-code.ts";
import type { FoundService } from "./find-service.ts";
import type { Look } from "./terminal-text.ts";

/** The given flags by name, without the dashes. */
export type FlagValues = { readonly [name: string]: string | boolean | readonly string[] | undefined };

export interface CommandContext {
  readonly io: CommandIo;
  /** The arguments after the command's name, without flags. */
  readonly positionals: readonly string[];
  readonly flags: FlagValues;
  /** `--json`: only JSON, on standard output. */
  readonly json: boolean;
  readonly service: FoundService;
  readonly api: OperatorClient;
  /** The service as an A2A agent; its card is read at the first call. */
  agent(): Promise<RemoteAgent>;
  /** Asks the service for a path that the typed client does not follow, such as a stream. Fails as the client does. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes one JSON value and a line's end. */
  writeJson(value: unknown): void;
  /** Writes to standard error, and nothing with `--json`. */
  note(text: string): void;
  paint(look: Look, text: string): string;
}

/** A command of the command line that talks to a service. */
export interface ClientCommand {
  readonly name: string;
  /** Position in `--help`, ascending. Multiples of ten leave room for commands in between. */
  readonly order: number;
  /** One line. */
  readonly summary: string;
  /** Its forms, one per line, then its flags. */
  readonly usage: string;
  readonly options?: ParseArgsConfig["options"];
  run(context: CommandContext): Promise<ExitCode>;
}

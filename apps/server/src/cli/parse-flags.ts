import { parseArgs } from "node:util";
import { StartupError } from "./startup-error.ts";

/** The parsed command line. An absent member is left to the environment and the configuration. */
export interface Flags {
  /** 0 takes a free port. */
  readonly port?: number;
  readonly host?: string;
  readonly ui?: "console" | "none";
  /** Validate the live configuration, mark setup as complete, exit. */
  readonly setup: boolean;
  /** `config explain [key]`: print where values come from, exit. */
  readonly explain?: { readonly key?: string };
  readonly help: boolean;
  readonly version: boolean;
  /** Programs read it: JSON, errors too. */
  readonly json: boolean;
}

/** Reads the arguments after the script's name. Throws `StartupError` `usage` for unknown arguments. */
export function parseFlags(args: readonly string[]): Flags {
  const { values, positionals } = parse(args);
  const explain = explainOf(positionals);
  const { json = false, setup = false, help = false, version = false } = values;
  if (json && !setup && !help && !version && explain === undefined) {
    throw usage("--json is for what prints and ends; the service logs JSON with LOG_FORMAT=json");
  }
  return {
    ...(values.port === undefined ? {} : { port: portOf(values.port) }),
    ...(values.host === undefined ? {} : { host: hostOf(values.host) }),
    ...(values.ui === undefined ? {} : { ui: uiOf(values.ui) }),
    ...(explain === undefined ? {} : { explain }),
    ...{ setup, help, version, json },
  };
}

/** `config explain [key]` is the one command besides serving. */
function explainOf(positionals: readonly string[]): Flags["explain"] {
  const [first, second, key, ...more] = positionals;
  if (first === undefined) return undefined;
  if (first !== "config") throw usage(`unknown argument ${JSON.stringify(first)}`);
  if (second !== "explain" || more.length > 0) throw usage("config takes one command: config explain [key]");
  return key === undefined ? {} : { key };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: "string" },
        host: { type: "string" },
        ui: { type: "string" },
        setup: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    // Node's message continues with advice on positional arguments that does not fit here.
    const message = (error as Error).message.split(/[.\n]/, 1)[0] ?? "";
    throw usage(message.charAt(0).toLowerCase() + message.slice(1));
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw usage(`--port takes a number from 0 to 65535, not ${JSON.stringify(text)}`);
  }
  return port;
}

function hostOf(text: string): string {
  if (text.trim() === "" || /[\s/]/.test(text)) throw usage(`--host takes an address, not ${JSON.stringify(text)}`);
  return text;
}

/** `full` is the deprecated alias of `console`. */
function uiOf(text: string): "console" | "none" {
  if (text === "console" || text === "full") return "console";
  if (text === "none") return "none";
  throw usage(`--ui takes console or none, not ${JSON.stringify(text)}`);
}

function usage(problem: string): StartupError {
  return new StartupError("usage", `${problem} (agent-service --help lists what there is)`);
}

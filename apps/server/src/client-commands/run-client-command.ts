import { type ParseArgsConfig, parseArgs } from "node:util";
import { errorDocument, StartupError } from "../cli/index.ts";
import type { ClientCommand, CommandContext, FlagValues } from "./command.ts";
import { failureOf, usage } from "./command-failure.ts";
import type { CommandIo } from "./command-io.ts";
import { COMMANDS } from "./command-table.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { findService } from "./find-service.ts";
import { reachService } from "./reach-service.ts";
import { clean, painter } from "./terminal-text.ts";

const SHARED = {
  url: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsConfig["options"];

const SHARED_USAGE = `  --url <address>   the service; default SVC_URL, else this machine's on port 7870
  --json            for programs: JSON on standard output, one value or a line for each event;
                    errors as {"error": {"code", "message", "exit_code"}} on standard error
`;

/** Runs a command that talks to a service, and returns the exit code. Throws unexpected errors. */
export async function runClientCommand(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = args;
  const end = rest.indexOf("--");
  const json = rest.slice(0, end === -1 ? undefined : end).includes("--json");
  let url = "";
  try {
    const command = COMMANDS.find((one) => one.name === name);
    if (command === undefined) throw usage(`unknown command ${JSON.stringify(name)} (agent-service --help lists all)`);
    const { flags, positionals } = parse(command, rest);
    if (flags.help === true) {
      const { summary, usage: own } = command;
      const text = `${own.trimEnd()}\n${SHARED_USAGE}`;
      io.stdout.write(json ? `${JSON.stringify({ name, summary, usage: text })}\n` : `${summary}.\n\n${text}`);
      return EXIT.ok;
    }
    const service = await findService(typeof flags.url === "string" ? flags.url : undefined, io);
    url = service.url;
    return await command.run({ ...context(io, json), ...reachService(service), service, flags, positionals });
  } catch (error) {
    const failure = failureOf(error, url);
    if (failure === undefined) throw error;
    io.stderr.write(json ? errorDocument(failure) : `agent-service: ${clean(failure.message)}\n`);
    return failure.exitCode;
  }
}

function context(
  io: CommandIo,
  json: boolean,
): Pick<CommandContext, "io" | "json" | "write" | "writeJson" | "note" | "paint"> {
  return {
    io,
    json,
    write: (text) => io.stdout.write(text),
    writeJson: (value) => io.stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => {
      if (!json) io.stderr.write(text);
    },
    paint: painter(io.stdout, io.env),
  };
}

function parse(command: ClientCommand, args: readonly string[]): { flags: FlagValues; positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...command.options, ...SHARED },
    });
    return { flags: values as FlagValues, positionals };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const message = (error as Error).message.split(/[.\n]/, 1)[0] ?? "";
    throw usage(`${message.charAt(0).toLowerCase()}${message.slice(1)} (agent-service ${command.name} --help)`);
  }
}

import type { ClientCommand } from "../command.ts";
import { failureOf } from "../command-failure.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { refuseArguments } from "../flag-values.ts";
import { facts } from "../terminal-text.ts";

export const accessCommand: ClientCommand = {
  name: "access",
  order: 20,
  summary: "Where the service is and the token that opens it",
  usage: "agent-service access\n\nIt prints the token: mind who looks on.\n",
  async run({ api, json, positionals, service, write, writeJson }) {
    refuseArguments("access", positionals);
    const { url, urlFrom, token, apiKey, credentialFrom, problem } = service;
    let answers = "yes";
    let code: ExitCode = EXIT.ok;
    try {
      await api.get("/api/runtime/status");
    } catch (error) {
      const failure = failureOf(error, url);
      if (failure === undefined) throw error;
      code = failure.exitCode;
      answers = failure.message;
    }
    if (json) {
      const credential = token === undefined ? { api_key: apiKey ?? null } : { token };
      const from = { url_from: urlFrom, credential_from: credentialFrom ?? null };
      writeJson({ url, console: `${url}/app/`, a2a: `${url}/a2a`, ...credential, ...from, answers: code === EXIT.ok });
      return code;
    }
    const secret = token ?? apiKey;
    write(
      facts([
        ["address", `${url} (${urlFrom})`],
        ["console", `${url}/app/`],
        ["A2A", `${url}/a2a`],
        [
          token === undefined && apiKey !== undefined ? "API key" : "token",
          secret === undefined ? "none: an open instance needs none" : `${secret} (${credentialFrom})`,
        ],
        problem === undefined ? undefined : ["config", problem],
        ["answers", answers],
      ]),
    );
    return code;
  },
};

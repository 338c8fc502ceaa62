import type { ClientCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { refuseArguments } from "../flag-values.ts";
import { bytes, clean, facts } from "../terminal-text.ts";

export const statusCommand: ClientCommand = {
  name: "status",
  order: 10,
  summary: "What the service is and does now",
  usage: "agent-service status\n",
  async run({ api, json, positionals, service, write, writeJson, paint }) {
    refuseArguments("status", positionals);
    const [status, { pending }] = await Promise.all([
      api.get("/api/runtime/status"),
      api.get("/api/approvals", { query: { limit: 1 } }),
    ]);
    if (json) {
      writeJson({ url: service.url, ...status, approvals_pending: pending });
      return EXIT.ok;
    }
    const { model, storage, load, features, graph_auth_error: refusal } = status;
    const size = storage.checkpoint_bytes === null ? "" : `, ${bytes(storage.checkpoint_bytes)}`;
    const on = Object.keys(features).filter((name) => features[name]?.enabled === true);
    write(
      facts([
        ["agent", `${status.identity.name} ${status.version} at ${service.url}`],
        ["model", `${model.provider}:${model.name}`],
        status.setup_complete ? undefined : ["setup", "not complete: agent-service connect"],
        ["work", `${load.running} running, ${load.waiting} waiting, ${pending} for a person to answer`],
        ["store", `${storage.location} (${storage.durable ? "durable" : "in memory only"}${size})`],
        ["on", on.sort().join(", ")],
      ]),
    );
    const warnings = [...status.warnings, ...(refusal === null ? [] : [`${refusal.provider}: ${refusal.message}`])];
    for (const warning of warnings) write(`${paint("yellow", "!")} ${clean(warning)}\n`);
    return EXIT.ok;
  },
};

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeProvenance, loadConfig, renderExample, writeOverlay } from "@agent-service/config";
import { mailSection } from "./mail-section.ts";

const home = mkdtempSync(join(tmpdir(), "layered-config-"));
writeFileSync(join(home, "host-config.yaml"), "mail:\n  host: mail.test\n");
writeFileSync(join(home, "agent-config.yaml"), "mail:\n  port: many\n  hots: typo\n");
writeOverlay(join(home, "secrets.yaml"), { mail: { password: "from the overlay" } });

// #region load
const config = loadConfig({ home, configDir: home, env: process.env, sections: [mailSection] });
if (!config.ok) throw new Error(config.errors[0].message);

const { host, port } = config.values.mail; // string, number
const from = config.provenance.get("mail.host") ?? { layer: "default" };
console.log(`mail goes to ${host}:${port}, as ${describeProvenance(from)} says`);
for (const { message } of config.warnings) console.log(message);
// #endregion load
console.log(renderExample([mailSection]).split("\n").slice(4).join("\n").trim());

rmSync(home, { recursive: true });

/**
 * `pnpm proof:ssrf [--seed S]`: hostile and harmless URLs through the egress guard (W3), judged at the socket.
 * What was sent, and what came of it, stands in `docs/security.md`.
 */
import { parseArgs } from "node:util";
import { createRandom } from "./random.ts";
import { runSsrf } from "./run-ssrf.ts";
import { runSsrfOauth } from "./run-ssrf-oauth.ts";
import { goodCases, hostileCases } from "./ssrf-cases.ts";
import { oauthCases } from "./ssrf-oauth-cases.ts";

const { values } = parseArgs({ options: { seed: { type: "string", default: "1" } } });
const random = createRandom(values.seed);
const hostile = hostileCases(random.fork("hostile"));
const good = goodCases(random.fork("good"));
const kinds = new Map<string, number>();
for (const { kind } of hostile) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

const report = await runSsrf([...hostile, ...good]);
console.log(
  `${report.refused}/${hostile.length} hostile URLs refused, ${report.arrived}/${good.length} good ones arrived`,
);
console.log(`hostile: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
console.log(`${report.sockets} sockets opened; ${report.violations.length} violations`);
const documents = oauthCases();
const signIns = await runSsrfOauth(documents);
console.log(
  `${documents.length} documents of sign-ins: ${signIns.refused} refused, ${signIns.stayed} stayed where they were, ${signIns.sockets} sockets`,
);
const violations = [...report.violations, ...signIns.violations];
for (const violation of violations) console.log(`    ${violation}`);
process.exitCode = violations.length === 0 ? 0 : 1;

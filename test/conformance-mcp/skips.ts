import type { Skips } from "./report.ts";

const SERVER: Skips["server"] = {
  ...skipped("`/mcp` offers tools only: it has no resources.", [
    ...["resources-list", "resources-read-binary", "resources-read-text", "resources-subscribe"],
    ...["resources-templates-read", "resources-unsubscribe"],
  ]),
  ...skipped("`/mcp` offers tools only: it has no prompts.", [
    ...["prompts-list", "prompts-get-embedded-resource", "prompts-get-simple", "prompts-get-with-args"],
    ...["prompts-get-with-image", "input-required-result-non-tool-request"],
  ]),
  ...skipped("Neither completions nor logging levels are built.", [
    ...["completion-complete", "logging-set-level", "tools-call-with-logging"],
  ]),
  ...skipped("A direct call answers what a model would read: text. Its images are in the console.", [
    ...["tools-call-audio", "tools-call-embedded-resource", "tools-call-image", "tools-call-mixed-content"],
  ]),
  ...skipped("No client is asked for its model or its folders.", [
    ...["tools-call-sampling", "input-required-result-basic-sampling", "input-required-result-basic-list-roots"],
    ...["input-required-result-capability-check", "input-required-result-multiple-input-requests"],
  ]),
  ...skipped(
    "The older era has forms only on a connection that stays open, and there are no sessions: what is asked is text with its id.",
    ["tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  ),
  "input-required-result-basic-elicitation":
    "The form is asked under the key `answer`; the scenario wants a key of its own, `user_name`.",
  "input-required-result-multi-round":
    "Wants two rounds under keys of its own. Several rounds are tested in `apps/server/src/surfaces/mcp/mcp.test.ts`.",
  "tools-call-with-progress":
    "Progress says that a call is waited for, every 5 s; the texts of a tool go to the console.",
  caching: "The lists of tools pass; the others are of resources and prompts.",
  "http-custom-header-server-validation": "No tool declares parameters as headers.",
  "server-stateless":
    "All but what needs diagnostic tools that raise errors of the protocol, which a tool of the agent cannot.",
};

const CLIENT: Skips["client"] = {
  "auth/basic-cimd":
    "The service's document is at `/.well-known/mcp-client.json` of its own address, which is sent; the scenario wants an address of its own.",
  "http-custom-headers":
    "Arguments that do not fit a tool's schema, such as null for a yes or no, are refused before they are sent.",
};

/** Scenarios that are not passed, with the reason for the page. */
export const SKIPS: Skips = { server: SERVER, client: CLIENT };

function skipped(why: string, scenarios: readonly string[]): { readonly [scenario: string]: string } {
  return Object.fromEntries(scenarios.map((name) => [name, why]));
}

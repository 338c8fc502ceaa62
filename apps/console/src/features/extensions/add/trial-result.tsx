import type { ReactElement } from "react";
import type { McpTrial } from "../server/mcp-types.ts";
import { sentence } from "../server/server-state.ts";

/** What a server answered that was tried, or why it did not. */
export function TrialResult({
  trial: { ok, tools: shown, resources, error },
}: {
  readonly trial: McpTrial;
}): ReactElement {
  if (!ok)
    return (
      <p role="alert" className="text-sm text-bad">
        {sentence(error ?? "It did not answer")}
      </p>
    );
  const tools = shown.filter(({ kind }) => kind === "tool");
  const prompts = shown.filter(({ kind }) => kind === "prompt");
  return (
    <section aria-label="What it brings" className="text-sm">
      <h3 className="font-medium text-good">
        {tools.length === 1 ? "It answers, and brings one tool." : `It answers, and brings ${tools.length} tools.`}
      </h3>
      <ul className="pt-1 text-ink-soft">
        {tools.map(({ kind, name, description }) => (
          <li key={`${kind} ${name}`} className="py-0.5">
            <code className="font-semibold text-ink">{name}</code> {description}
          </li>
        ))}
        {prompts.map(({ full_name: command, description }) => (
          <li key={command} className="py-0.5">
            <code className="font-semibold text-ink">/{command}</code> {description}
          </li>
        ))}
        {resources.map(({ uri, name }) => (
          <li key={uri} className="py-0.5">
            <code className="text-ink">{uri}</code> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ReactElement } from "react";
import { EmptyState } from "../../../ui/index.ts";
import type { McpServerDetail, McpTool } from "../server/mcp-types.ts";

const NOTES = {
  on: undefined,
  off: "Left out by the settings",
  held: "Waits for you",
  gone: "The server has it no more",
} as const;

/** The prompts of a server: what a person begins a turn with, as slash commands. */
export function PromptList({ server: { name, tools } }: { readonly server: McpServerDetail }): ReactElement {
  const listed = tools.filter(({ kind }) => kind === "prompt");
  if (listed.length === 0)
    return (
      <EmptyState drawing="agents" title="No prompts">
        Some servers bring texts to begin with. They are slash commands in the chat.
      </EmptyState>
    );
  return (
    <ul aria-label={`Prompts of ${name}`} className="divide-y divide-line">
      {listed.map((prompt) => (
        <PromptRow key={prompt.name} prompt={prompt} />
      ))}
    </ul>
  );
}

function PromptRow({ prompt }: { readonly prompt: McpTool }): ReactElement {
  const { full_name: command, description, state, input_schema: schema } = prompt;
  const note = NOTES[state];
  return (
    <li className="flex flex-col gap-0.5 py-3">
      <p className="flex flex-wrap items-center gap-x-3">
        <code className="font-semibold">
          /{command}
          {wordsOf(schema)}
        </code>
        {note !== undefined && (
          <span className={state === "held" ? "text-xs font-medium text-waiting" : "text-xs text-ink-soft"}>
            {note}
          </span>
        )}
      </p>
      <p className="line-clamp-3 text-sm whitespace-pre-line text-ink-soft">{description}</p>
    </li>
  );
}

/** Its arguments, as they are written behind the command. */
function wordsOf({ properties, required }: McpTool["input_schema"]): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(properties ?? {})
    .map((name) => (needed.includes(name) ? ` <${name}>` : ` [${name}]`))
    .join("");
}

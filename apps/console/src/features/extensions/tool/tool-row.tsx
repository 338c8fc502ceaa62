import type { ReactElement } from "react";
import { Button, count, Switch } from "../../../ui/index.ts";
import type { McpTool } from "../server/mcp-types.ts";
import { EFFECTS, tokensOf } from "./tool-words.ts";

const NOTES = { held: "Waits for you", gone: "The server has it no more" } as const;

/** A tool: what the model reads of it, its effect, its size, its switch, and a trial. */
export function ToolRow({
  tool,
  reason,
  disabled,
  onSwitch,
  onTry,
}: {
  readonly tool: McpTool;
  /** Why it cannot be switched here. */
  readonly reason: string | undefined;
  readonly disabled: boolean;
  readonly onSwitch: () => void;
  readonly onTry: () => void;
}): ReactElement {
  const { name, full_name: fullName, description, state, effect } = tool;
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-3">
          <code className="font-semibold" title={fullName}>
            {name}
          </code>
          <span className="text-xs text-ink-soft" title={EFFECTS[effect].hint}>
            {EFFECTS[effect].label}
          </span>
          <span className="text-xs text-ink-soft" title="An estimate: each model counts its own way">
            about {count(tokensOf(tool))} tokens
          </span>
          {(state === "held" || state === "gone") && (
            <span className={state === "held" ? "text-xs font-medium text-waiting" : "text-xs text-ink-soft"}>
              {NOTES[state]}
            </span>
          )}
        </p>
        <p className="line-clamp-3 text-sm whitespace-pre-line text-ink-soft">{description}</p>
        {reason !== undefined && <p className="text-xs text-ink-soft">{reason}</p>}
      </div>
      {(state === "on" || (state === "held" && tool.changed?.is_new !== true)) && (
        <Button small aria-label={`Try ${name}`} onClick={onTry}>
          Try
        </Button>
      )}
      <Switch
        className="mt-1"
        aria-label={`Offer ${name}`}
        checked={state !== "off" && state !== "gone"}
        disabled={disabled || reason !== undefined}
        onChange={onSwitch}
      />
    </li>
  );
}

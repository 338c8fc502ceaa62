import type { ReactElement } from "react";
import { useConnection, useRuntimeStatus } from "../api/index.ts";

/** What the operator should know before anything else; each line goes when its cause does. */
export function Banners(): ReactElement | null {
  const status = useRuntimeStatus();
  const connection = useConnection();
  const scripted = status?.model.provider === "scripted";
  // The console says it in its own words, with the way out.
  const lines = (status?.warnings ?? []).filter((line) => !(scripted && line.includes("scripted model")));
  if (scripted) {
    lines.unshift(
      "The agent runs on the scripted model, which is no language model. Connect one in Settings, Connections.",
    );
  }
  if (status?.storage.durable === false) {
    lines.push("The store is memory: what it holds goes with the process.");
  }
  if (connection === "lost") lines.unshift("The connection to the agent is lost. Trying again…");
  if (lines.length === 0) return null;
  return (
    <div role="status" className="flex flex-col">
      {lines.map((line) => (
        <p key={line} className="border-b border-line bg-waiting-soft px-4 py-1.5 text-sm text-ink">
          {line}
        </p>
      ))}
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";

const MAX_SHOWN = 6;

/** The slash commands that start with the text, while it is nothing but the beginning of a name. */
export function CommandHints({
  text,
  onPick,
}: {
  readonly text: string;
  readonly onPick: (name: string) => void;
}): ReactElement | null {
  const { operator } = useApi();
  const written = /^\/([a-z][\w-]*)?$/.exec(text);
  const { data } = useQuery({
    queryKey: ["commands"],
    enabled: written !== null,
    queryFn: () => operator.get("/api/chat/commands"),
  });
  if (written === null || data === undefined) return null;
  const found = data.commands.filter(({ name }) => name.startsWith(written[1] ?? "")).slice(0, MAX_SHOWN);
  if (found.length === 0) return null;
  return (
    <ul aria-label="Commands" className="flex flex-col rounded-md border border-line bg-raised p-1 shadow-float">
      {found.map(({ name, description }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onPick(name)}
            className="flex min-h-8 w-full items-baseline gap-3 rounded-sm px-2 py-1 text-left hover:bg-hover"
          >
            <code className="font-medium">/{name}</code>
            <span className="min-w-0 flex-1 truncate text-sm text-ink-soft">{description}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

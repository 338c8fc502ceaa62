import { Link } from "@tanstack/react-router";
import { type ReactElement, useId, useState } from "react";
import { buttonClass, Choices, Switch } from "../ui/index.ts";
import { type CodePlace, linesValue } from "./code-place.ts";
import { DiffView } from "./diff-view.tsx";
import { FileView } from "./file-view.tsx";
import { useFollow } from "./follow.ts";

const VIEWS = [
  { value: "file", label: "File" },
  { value: "changes", label: "Changes" },
] as const;

/** The code pane beside a conversation: a file of a project, and what differs in the project from the last commit. */
export function CodePane({ place: shown }: { readonly place: CodePlace }): ReactElement {
  const [place, setPlace] = useState(shown);
  const [view, setView] = useState<"file" | "changes">("file");
  const [follows, setFollow] = useFollow();
  const id = useId();
  const { project, path, lines } = place;
  return (
    <div data-code-pane className="-m-4 flex max-h-[calc(100dvh-3rem)] min-h-80 flex-1 flex-col">
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-sm">
        <Choices label="What of the project" options={VIEWS} value={view} onChange={setView} />
        <span className="min-w-0 truncate text-ink-soft" title={path}>
          {path === shown.path ? project : `${project}: ${path}`}
        </span>
        <div className="ml-auto flex items-center gap-2">
          <Link
            to="/files"
            search={{ project, path, ...(lines !== undefined && { lines: linesValue(lines) }) }}
            className={buttonClass({ kind: "quiet", small: true })}
          >
            Open in Files
          </Link>
          <label htmlFor={id} title="Open what the agent shows next, by itself">
            Follow
          </label>
          <Switch id={id} checked={follows} onChange={({ target }) => setFollow(target.checked)} />
        </div>
      </div>
      {view === "file" ? (
        <FileView
          key={`${project}/${path}`}
          place={place}
          onLines={(chosen) => setPlace({ ...place, lines: chosen })}
        />
      ) : (
        <DiffView
          project={project}
          first={path}
          onOpen={(other) => {
            setPlace({ project, path: other, lines: undefined, note: "" });
            setView("file");
          }}
        />
      )}
    </div>
  );
}

import { FileCode2, PanelRight } from "lucide-react";
import type { ReactElement } from "react";
import { type BesideDocument, useOpenBeside } from "../markdown/index.ts";
import { CodePane } from "./code-pane.tsx";
import { type CodePlace, linesWords, readCodePlace } from "./code-place.ts";

/** What the agent showed, in its message: pressed, it opens beside the conversation. */
export function CodeCard({ value }: { readonly value: unknown }): ReactElement | null {
  const open = useOpenBeside();
  const place = readCodePlace(value);
  if (place === undefined) return null;
  const { project, path, lines, note } = place;
  const content = (
    <>
      <FileCode2 aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-mono text-sm break-all">{path}</span>
        <span className="text-sm text-ink-soft">
          {lines === undefined ? project : `${project}, ${linesWords(lines)}`}
        </span>
        {note !== "" && <span className="line-clamp-3 pt-1 text-sm whitespace-pre-wrap">{note}</span>}
      </span>
      {open !== undefined && <PanelRight aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />}
    </>
  );
  const look = "flex w-full max-w-lg items-start gap-2.5 rounded-md border border-line bg-raised px-3 py-2 text-left";
  if (open === undefined) return <div className={look}>{content}</div>;
  return (
    <button type="button" className={`${look} hover:bg-hover`} onClick={() => open(besideOf(place))}>
      {content}
    </button>
  );
}

/** A place as it is opened beside a conversation. */
export function besideOf(place: CodePlace): BesideDocument & { readonly kind: "view" } {
  return { kind: "view", title: place.path, view: <CodePane place={place} /> };
}

import { type ReactElement, type ReactNode, useRef, useState } from "react";
import { bytes, count, EmptyState, ScrollRegion, Skeleton } from "../ui/index.ts";
import { type CodePlace, type LineRange, linesWords } from "./code-place.ts";
import { FileTools } from "./file-tools.tsx";
import { LineRow } from "./line-row.tsx";
import { ShownRefusal } from "./shown-refusal.tsx";
import { type FileFacts, MOST_LINES, useFileFacts, useFileLines } from "./use-file-lines.ts";
import { useLineHref } from "./use-line-href.ts";
import { useLineList } from "./use-line-list.ts";

/** A file of a project, line by line: only what is in sight is read and drawn. */
export function FileView({
  place,
  onLines,
  tools,
}: {
  readonly place: CodePlace;
  /** Called with the lines that a person chose. */
  readonly onLines: (lines: LineRange) => void;
  /** Further buttons in its line. */
  readonly tools?: ReactNode;
}): ReactElement {
  const { path, lines, note } = place;
  const scroller = useRef<HTMLDivElement>(null);
  const [isWrapped, setWrapped] = useState(false);
  const { facts, error } = useFileFacts(place);
  const rows = Math.min(facts?.line_count ?? 0, MOST_LINES);
  const list = useLineList(scroller, { rows, isWrapped, start: lines?.start });
  const drawn = list.getVirtualItems();
  const file = useFileLines(place, (drawn[0]?.index ?? 0) + 1, (drawn.at(-1)?.index ?? -1) + 1);
  const failure = error ?? file.error;
  const hrefOf = useLineHref(place);
  const digits = String(rows).length;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <FileTools
        {...{ place, isWrapped, setWrapped, onLines, tools }}
        address={hrefOf()}
        facts={facts === undefined ? "" : factsOf(facts)}
        most={rows}
        isReading={file.isReading}
        onReadAgain={file.readAgain}
      />
      {note !== "" && (
        <p className="max-h-24 shrink-0 overflow-y-auto border-b border-line bg-accent-soft px-4 py-2 text-sm whitespace-pre-wrap">
          {note}
        </p>
      )}
      {failure !== null ? (
        <ShownRefusal error={failure} title="The file cannot be read" onRetry={file.readAgain} />
      ) : facts === undefined ? (
        <Reading />
      ) : facts.binary ? (
        <EmptyState title="This is no text">
          It is a binary file of {bytes(facts.size)}: there are no lines to show.
        </EmptyState>
      ) : rows === 0 ? (
        <EmptyState title="The file is empty">It has no lines.</EmptyState>
      ) : (
        <>
          <OutOfRange lines={lines} rows={facts.line_count} />
          <ScrollRegion
            ref={scroller}
            label={`${path}, ${count(facts.line_count)} lines`}
            className="code-block min-h-0 flex-1 overflow-auto bg-ground"
          >
            <div className="relative w-full" style={{ height: list.getTotalSize() }}>
              {drawn.map(({ index, start: top }) => (
                <LineRow
                  key={index}
                  {...{ index, top, digits, isWrapped, onLines }}
                  ref={isWrapped ? list.measureElement : undefined}
                  line={file.line(index + 1)}
                  chosen={lines}
                  href={hrefOf(index + 1)}
                />
              ))}
            </div>
          </ScrollRegion>
          {facts.line_count > MOST_LINES && (
            <p className="shrink-0 border-t border-line px-4 py-1.5 text-sm text-ink-soft">
              Only the first {count(MOST_LINES)} of its {count(facts.line_count)} lines are shown here.
            </p>
          )}
        </>
      )}
    </div>
  );
}

function Reading(): ReactElement {
  return (
    <div className="flex flex-col gap-2 p-4">
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}

function OutOfRange({
  lines,
  rows,
}: {
  readonly lines: LineRange | undefined;
  readonly rows: number;
}): ReactElement | null {
  if (lines === undefined || lines.end <= rows) return null;
  return (
    <p role="status" className="shrink-0 border-b border-line px-4 py-1.5 text-sm text-ink-soft">
      It is about {linesWords(lines)}, and the file has only {count(rows)} {rows === 1 ? "line" : "lines"} now.
    </p>
  );
}

function factsOf({ binary, line_count: lines, size, language }: FileFacts): string {
  const parts = binary ? ["binary"] : [`${count(lines)} ${lines === 1 ? "line" : "lines"}`];
  return [...parts, bytes(size), ...(language === null ? [] : [language])].join(" · ");
}

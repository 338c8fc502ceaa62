import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { PatchView } from "../../../patch-view/index.ts";
import { Button, InlineError, Skeleton } from "../../../ui/index.ts";
import { reasonText } from "./outcome-text.ts";

/** What changes came to in one file, read when it is opened: a button in its line, and the difference below. */
export function FileDifference({
  ids,
  path,
}: {
  readonly ids: readonly string[];
  readonly path: string;
}): ReactElement {
  const { operator } = useApi();
  const [isOpen, setOpen] = useState(false);
  const query = ids.join(",");
  const { data, error } = useQuery({
    queryKey: ["files", "diff", query],
    enabled: isOpen,
    queryFn: () => operator.get("/api/changes/diff", { query: { ids: query } }),
  });
  return (
    <>
      <Button kind="quiet" small className="ml-auto" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide the difference" : "Show the difference"}
        <span className="sr-only"> of {path}</span>
      </Button>
      {isOpen && (
        <div className="w-full basis-full">
          {error !== null ? (
            <InlineError error={error} />
          ) : data === undefined ? (
            <Skeleton className="h-16 w-full" />
          ) : data.patch === "" ? (
            <p className="text-sm text-ink-soft">{noPatch(data.files[0])}</p>
          ) : (
            <PatchView patch={data.patch} label={`Difference of ${path}`} />
          )}
        </div>
      )}
    </>
  );
}

function noPatch(
  file:
    | {
        readonly binary: boolean;
        readonly denied: boolean;
        readonly too_large: boolean;
        readonly reason: string | null;
      }
    | undefined,
): string {
  if (file === undefined) return "The file is as it was before.";
  if (file.denied) return "Its name is one of those that hold secrets: it is not shown.";
  if (file.binary) return "It is no text.";
  if (file.too_large) return "It is too large to be compared.";
  return `It cannot be compared: ${reasonText(file.reason)}.`;
}

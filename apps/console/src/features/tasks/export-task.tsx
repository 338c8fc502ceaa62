import { Download } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineSource } from "../../timeline/index.ts";
import { Button } from "../../ui/index.ts";
import { exportName, taskDocument } from "./task-document.tsx";

/** Saves a task's timeline as one HTML file that needs nothing else, made here in the browser. */
export function ExportTask({ source }: { readonly source: TimelineSource }): ReactElement {
  const save = (): void => {
    const file = new Blob([taskDocument(source)], { type: "text/html" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = exportName(source);
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <Button small kind="quiet" aria-label="Export as HTML" title="Export as HTML" onClick={save}>
      <Download aria-hidden className="size-4" />
      <span className="max-list:hidden">Export</span>
    </Button>
  );
}

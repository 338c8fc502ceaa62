import { Download } from "lucide-react";
import type { ReactElement } from "react";
import type { TimelineSource } from "../../timeline/index.ts";
import { Button, saveFile } from "../../ui/index.ts";
import { exportName, taskDocument } from "./task-document.tsx";

/** Saves a task's timeline as one self-contained HTML file, made in the browser. */
export function ExportTask({ source }: { readonly source: TimelineSource }): ReactElement {
  const save = (): void => {
    saveFile(new Blob([taskDocument(source)], { type: "text/html" }), exportName(source));
  };
  return (
    <Button small kind="quiet" aria-label="Export as HTML" title="Export as HTML" onClick={save}>
      <Download aria-hidden className="size-4" />
      <span className="max-list:hidden">Export</span>
    </Button>
  );
}

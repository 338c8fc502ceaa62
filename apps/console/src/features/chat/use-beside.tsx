import { type ReactElement, useCallback, useState } from "react";
import { type BesideDocument, OpenedBeside } from "../../markdown/index.ts";
import { OpenedInspector } from "./inspector/opened-inspector.tsx";

/** What stands beside a conversation: how a turn got there, or a document of it; one at a time. */
export interface Beside {
  readonly openWhy: (taskId: string) => void;
  readonly openDocument: (document: BesideDocument) => void;
  readonly pane: ReactElement | null;
}

/** `no` tells it from the one that was open before. */
interface OpenDocument {
  readonly document: BesideDocument;
  readonly no: number;
}

/** `isRunning`: Escape stops the turn that runs, unless the focus is in the document. */
export function useBeside(isRunning: boolean): Beside {
  const [open, setOpen] = useState<{ readonly why: string } | OpenDocument>();
  const openWhy = useCallback((why: string) => setOpen({ why }), []);
  const openDocument = useCallback(
    (document: BesideDocument) =>
      setOpen((before) => ({ document, no: (before && "no" in before ? before.no : 0) + 1 })),
    [],
  );
  const close = useCallback(() => setOpen(undefined), []);
  return { openWhy, openDocument, pane: paneOf() };

  function paneOf(): ReactElement | null {
    if (open === undefined) return null;
    if ("why" in open) return <OpenedInspector key={open.why} taskId={open.why} onClose={close} />;
    return <OpenedBeside document={open.document} no={open.no} takesEscape={!isRunning} onClose={close} />;
  }
}

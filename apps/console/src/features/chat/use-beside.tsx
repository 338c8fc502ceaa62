import { lazy, type ReactElement, Suspense, useCallback, useState } from "react";
import { useRuntimeStatus } from "../../api/index.ts";
import { type BesideDocument, OpenedBeside } from "../../markdown/index.ts";
import { OpenedInspector } from "./inspector/opened-inspector.tsx";
import type { TurnRow } from "./transcript/shown-turns.ts";

// No part of the page of chats: loaded while the code pane is on.
const FollowedCode = lazy(async () => ({ default: (await import("./code/followed-code.tsx")).FollowedCode }));

/** What stands beside a conversation: how a turn got there, or a document of it; one at a time. */
export interface Beside {
  readonly openWhy: (taskId: string) => void;
  readonly openDocument: (document: BesideDocument) => void;
  readonly pane: ReactElement;
}

/** `no` tells it from the one that was open before. */
interface OpenDocument {
  readonly document: BesideDocument;
  readonly no: number;
}

/**
 * `row`: the newest turn, whose shown code is followed. `isRunning`: Escape stops the turn that runs, unless the focus is in
 * the document.
 */
export function useBeside(session: string, row: TurnRow | undefined, isRunning: boolean): Beside {
  const isFollowed = useRuntimeStatus()?.code_pane.enabled === true;
  const [open, setOpen] = useState<{ readonly why: string } | OpenDocument>();
  const openWhy = useCallback((why: string) => setOpen({ why }), []);
  const openDocument = useCallback(
    (document: BesideDocument) =>
      setOpen((before) => {
        const shown = before && "no" in before ? before : undefined;
        const isUnasked = document.kind === "view" && document.isUnasked === true;
        // What a person opened stays.
        if (isUnasked && before !== undefined && shown?.document.kind !== "view") return before;
        return { document, no: (shown?.no ?? 0) + 1 };
      }),
    [],
  );
  const close = useCallback(() => setOpen(undefined), []);
  const follower = isFollowed && (
    <Suspense>
      <FollowedCode session={session} row={row} onShow={openDocument} />
    </Suspense>
  );
  const pane = (
    <>
      {follower}
      {paneOf()}
    </>
  );
  return { openWhy, openDocument, pane };

  function paneOf(): ReactElement | null {
    if (open === undefined) return null;
    if ("why" in open) return <OpenedInspector key={open.why} taskId={open.why} onClose={close} />;
    return <OpenedBeside document={open.document} no={open.no} takesEscape={!isRunning} onClose={close} />;
  }
}

import { X } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useSyncExternalStore } from "react";
import { Button, Dialog } from "../../ui/index.ts";
import { CodeBlock } from "../code/code-block.tsx";
import { Markdown } from "../markdown.tsx";
import { BesideContext, type BesideDocument, ROOM } from "./beside-context.ts";
import { BesidePage } from "./beside-page.tsx";
import { BesideTable } from "./beside-table.tsx";

/** What floats takes Escape for itself. */
const FLOATING = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** A document beside the conversation. Escape closes it and gives the focus back to what opened it. */
export default function BesidePane({
  document: shown,
  no,
  takesEscape,
  onClose,
}: {
  readonly document: BesideDocument;
  /** Another one for another document, which begins anew: with its page, unsorted, from its top. */
  readonly no: number;
  /** Escape closes it wherever the focus is; else only inside of it. */
  readonly takesEscape: boolean;
  readonly onClose: () => void;
}): ReactElement {
  const wide = useRoom();
  const content = (
    <BesideContext.Provider value={undefined}>
      <Content key={no} document={shown} />
    </BesideContext.Provider>
  );
  if (!wide) {
    return (
      <Dialog sheet open onOpenChange={onClose} title={shown.title}>
        <div className="flex min-h-full flex-col">{content}</div>
      </Dialog>
    );
  }
  return (
    <Pane
      title={shown.title}
      no={no}
      takesFocus={!("isUnasked" in shown && shown.isUnasked)}
      takesEscape={takesEscape}
      onClose={onClose}
    >
      {content}
    </Pane>
  );
}

function Pane({
  title,
  no,
  takesFocus,
  takesEscape,
  onClose,
  children,
}: {
  readonly title: string;
  readonly no: number;
  readonly takesFocus: boolean;
  readonly takesEscape: boolean;
  readonly onClose: () => void;
  readonly children: ReactElement;
}): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  useEffect(() => {
    opener.current = document.activeElement;
    if (takesFocus) heading.current?.focus();
    body.current?.scrollTo(0, 0);
  }, [no, takesFocus]);
  useEffect(
    () => () => {
      const { current } = opener;
      // What opened it may have been scrolled out of the page.
      const target =
        current instanceof HTMLElement && current.isConnected ? current : document.querySelector("#composer");
      if (target instanceof HTMLElement) target.focus();
    },
    [],
  );
  useEffect(() => {
    if (!takesEscape) return;
    const pressed = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector(FLOATING) === null) onClose();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [takesEscape, onClose]);
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <aside
      aria-label={title}
      onKeyDown={pressed}
      className="flex w-[max(24rem,46%)] shrink-0 flex-col border-l border-line bg-ground"
    >
      <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 truncate font-display text-lg font-semibold outline-none">
          {title}
        </h2>
        <Button kind="quiet" icon small aria-label="Close" title="Close (Esc)" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div ref={body} className="flex min-h-0 flex-1 flex-col overflow-y-auto p-4">
        {children}
      </div>
    </aside>
  );
}

function Content({ document: shown }: { readonly document: BesideDocument }): ReactElement {
  switch (shown.kind) {
    case "markdown":
      return <Markdown text={shown.text} />;
    case "code":
      return (
        // In its whole height: the pane scrolls.
        <div className="shrink-0">
          <CodeBlock code={shown.code} language={shown.language} />
        </div>
      );
    case "page":
      return <BesidePage html={shown.html} />;
    case "table":
      return <BesideTable title={shown.title} rows={shown.rows} />;
    case "view":
      return shown.view;
  }
}

function useRoom(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(ROOM);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(ROOM).matches,
  );
}

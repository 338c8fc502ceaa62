import { Dialog } from "@base-ui/react/dialog";
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { Button, buttonClass, classNames, saveFile } from "../ui/index.ts";
import { BROKEN_PICTURE, type ShownFile } from "./shown-file.ts";
import { useFile, useFileUrl } from "./use-file.ts";

/**
 * The pictures of a message, one at a time, as large as the window takes or in their own size. It holds the focus; Escape
 * closes it, the arrow keys lead to the other pictures.
 */
export default function PictureViewer({
  pictures,
  first,
  onClose,
}: {
  readonly pictures: readonly ShownFile[];
  /** Position of the one to begin with. */
  readonly first: number;
  readonly onClose: () => void;
}): ReactElement | null {
  const [shown, setShown] = useState(first);
  const picture = pictures[shown];
  if (picture === undefined) return null;
  const several = pictures.length > 1;
  const step = (by: number): void => setShown((shown + by + pictures.length) % pictures.length);
  const pressed = ({ key }: KeyboardEvent): void => {
    if (several && key === "ArrowLeft") step(-1);
    if (several && key === "ArrowRight") step(1);
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          onKeyDown={pressed}
          className="fixed inset-2 z-50 flex flex-col rounded-lg border border-line bg-raised shadow-float outline-none list:inset-6"
        >
          <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
            <Dialog.Title className="min-w-0 truncate text-base font-semibold">{picture.name}</Dialog.Title>
            {several && (
              <span role="status" className="shrink-0 text-sm text-ink-soft tabular-nums">
                {shown + 1} of {pictures.length}
              </span>
            )}
            <Save file={picture} />
            <Dialog.Close aria-label="Close" className={buttonClass({ kind: "quiet", icon: true, small: true })}>
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          </div>
          <Picture key={shown} file={picture} />
          {several && (
            <div className="flex justify-center gap-2 border-t border-line p-2">
              <Button
                kind="quiet"
                icon
                aria-label="Previous picture"
                aria-keyshortcuts="ArrowLeft"
                onClick={() => step(-1)}
              >
                <ChevronLeft aria-hidden className="size-5" />
              </Button>
              <Button
                kind="quiet"
                icon
                aria-label="Next picture"
                aria-keyshortcuts="ArrowRight"
                onClick={() => step(1)}
              >
                <ChevronRight aria-hidden className="size-5" />
              </Button>
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Save({ file }: { readonly file: ShownFile }): ReactElement {
  const { blob } = useFile(file);
  return (
    <Button
      kind="quiet"
      icon
      small
      aria-label="Save"
      title="Save"
      className="ml-auto"
      disabled={blob === undefined}
      onClick={() => blob !== undefined && saveFile(blob, file.name)}
    >
      <Download aria-hidden className="size-4" />
    </Button>
  );
}

function Picture({ file }: { readonly file: ShownFile }): ReactElement {
  const { url, error } = useFileUrl(file);
  const [isLarge, setLarge] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (url === undefined || isBroken) {
    const unread = error === null ? "The picture is loading…" : "The picture cannot be read any more.";
    return (
      <p role="status" className="m-auto p-6 text-ink-soft">
        {isBroken ? BROKEN_PICTURE : unread}
      </p>
    );
  }
  const Icon = isLarge ? ZoomOut : ZoomIn;
  return (
    <div className="relative flex min-h-0 flex-1">
      {/* Scrolls in its own size: `m-auto` in place of centring keeps its beginning in reach. */}
      <div className="flex min-h-0 min-w-0 flex-1 overflow-auto bg-sunken">
        <button
          type="button"
          aria-label={isLarge ? "Fit the window" : "Own size"}
          aria-pressed={isLarge}
          className={classNames("m-auto flex", isLarge ? "cursor-zoom-out" : "max-h-full max-w-full cursor-zoom-in")}
          onClick={() => setLarge(!isLarge)}
        >
          <img
            src={url}
            alt={file.name}
            onError={() => setBroken(true)}
            className={isLarge ? "max-w-none" : "max-h-full max-w-full object-contain"}
          />
        </button>
      </div>
      <span
        aria-hidden
        className="pointer-events-none absolute right-3 bottom-3 rounded-full bg-raised p-1.5 shadow-raised"
      >
        <Icon className="size-4" />
      </span>
    </div>
  );
}

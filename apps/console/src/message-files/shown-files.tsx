import { ImageOff, X } from "lucide-react";
import { lazy, type ReactElement, Suspense, useState } from "react";
import { classNames } from "../ui/index.ts";
import { FileChip } from "./file-chip.tsx";
import { BROKEN_PICTURE, type FileListProps, isPicture, type ShownFile } from "./shown-file.ts";
import { useFileUrl } from "./use-file.ts";

const PictureViewer = lazy(() => import("./picture-viewer.tsx"));

/** The files of a message, of which there is one at least. */
export default function ShownFiles({ files, label, small = false, onRemove, className }: FileListProps): ReactElement {
  const [opened, setOpened] = useState<number>();
  const pictures = files.filter(isPicture);
  return (
    <>
      <ul aria-label={label} className={classNames("flex flex-wrap items-end gap-2", className)}>
        {files.map((file, index) => (
          <li key={`${file.name}-${index}`} className="group/file relative flex max-w-full min-w-0">
            {isPicture(file) ? (
              <Thumbnail file={file} small={small} onOpen={() => setOpened(pictures.indexOf(file))} />
            ) : (
              <FileChip file={file} removable={onRemove !== undefined} />
            )}
            {onRemove !== undefined && (
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                title="Remove"
                className={classNames(
                  "absolute flex size-6 items-center justify-center rounded-full hover:bg-hover",
                  isPicture(file)
                    ? "-top-1.5 -right-1.5 border border-line bg-raised shadow-raised"
                    : "top-1/2 right-1 -translate-y-1/2 text-ink-soft hover:text-ink",
                )}
                onClick={() => onRemove(index)}
              >
                <X aria-hidden className="size-3.5" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense>
          <PictureViewer pictures={pictures} first={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}

/** Its height is known before the picture is, so that nothing below it moves. */
function Thumbnail({
  file,
  small,
  onOpen,
}: {
  readonly file: ShownFile;
  readonly small: boolean;
  readonly onOpen: () => void;
}): ReactElement {
  const { url, error } = useFileUrl(file);
  const [isBroken, setBroken] = useState(false);
  if (isBroken && !small)
    return (
      <p className="max-w-80 rounded-md border border-line bg-sunken px-3 py-2 text-sm text-ink-soft">
        {file.name}: {BROKEN_PICTURE}
      </p>
    );
  return (
    <button
      type="button"
      aria-label={`Open ${file.name}`}
      title={file.name}
      onClick={onOpen}
      className={classNames(
        "flex min-w-0 items-center justify-center overflow-hidden rounded-md border border-line bg-sunken transition-opacity duration-120 hover:opacity-90",
        small ? "size-16" : "h-40 max-w-full min-w-24",
      )}
    >
      {url !== undefined && !isBroken && (
        <img
          src={url}
          alt=""
          onError={() => setBroken(true)}
          className={small ? "size-full object-cover" : "h-full max-w-full object-cover"}
        />
      )}
      {(isBroken || (error !== null && url === undefined)) && <ImageOff aria-hidden className="size-5 text-ink-soft" />}
    </button>
  );
}

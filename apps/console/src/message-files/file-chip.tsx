import { FileText } from "lucide-react";
import type { ReactElement } from "react";
import { useOpenBeside } from "../markdown/index.ts";
import { useNotices } from "../notices/index.ts";
import { bytes, classNames, failureOf } from "../ui/index.ts";
import type { ShownFile } from "./shown-file.ts";
import { useReadText } from "./use-file.ts";

/** A file that is no picture, by name and size; pressed, its text opens beside the conversation. */
export function FileChip({
  file,
  removable,
}: {
  readonly file: ShownFile;
  /** It has room for the button that takes it out. */
  readonly removable: boolean;
}): ReactElement {
  const open = useOpenBeside();
  const read = useReadText();
  const notify = useNotices();
  const { name, mediaType, size, content } = file;
  const looks = classNames(
    "flex min-w-0 items-center gap-1.5 rounded-md border border-line bg-ground py-1 pl-2 text-sm",
    removable ? "max-w-64 pr-8" : "max-w-full pr-2.5",
  );
  const label = (
    <>
      <FileText aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <span className="truncate">{name}</span>
      {size !== undefined && <span className="shrink-0 text-ink-soft tabular-nums">{bytes(size)}</span>}
    </>
  );
  if (open === undefined || content.kind === "gone" || !mediaType.startsWith("text/")) {
    return <span className={looks}>{label}</span>;
  }
  const show = async (): Promise<void> => {
    const text = await read(file);
    open(
      mediaType === "text/markdown" || /\.(md|markdown)$/i.test(name)
        ? { kind: "markdown", title: name, text }
        : { kind: "code", title: name, code: text, language: "" },
    );
  };
  return (
    <button
      type="button"
      title="Open beside"
      className={classNames(looks, "hover:bg-hover")}
      onClick={() => void show().catch((error: unknown) => notify({ text: failureOf(error).message, tone: "bad" }))}
    >
      {label}
    </button>
  );
}

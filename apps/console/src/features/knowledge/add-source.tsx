import { type DragEvent, type FormEvent, type ReactElement, useRef, useState } from "react";
import { useNotices } from "../../notices/index.ts";
import { Button, classNames, failureOf, InlineError, TextField } from "../../ui/index.ts";
import { useAddSource } from "./use-sources.ts";

/** Files that are dropped or chosen, or an address. */
export function AddSource(): ReactElement {
  const add = useAddSource();
  const notify = useNotices();
  const input = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState("");
  const [isOver, setIsOver] = useState(false);
  const handOver = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      try {
        await add.mutateAsync({ file });
      } catch (error) {
        notify({ text: `${file.name}: ${failureOf(error).message}`, tone: "bad" });
      }
    }
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void handOver([...event.dataTransfer.files]);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate({ url: url.trim() }, { onSuccess: () => setUrl((now) => (now === url ? "" : now)) });
  };
  return (
    <section
      aria-label="Add documents"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
      className={classNames(
        "mt-4 flex flex-col gap-3 rounded-md border border-dashed p-4",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
    >
      <div className="flex flex-wrap items-center gap-3">
        <Button small kind="primary" busy={add.isPending} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <p className="text-sm text-ink-soft">
          Or drop them here: text, Markdown, pages, PDF, CSV, JSON, Office and EPUB, up to 32 MiB each.
        </p>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Documents"
          onChange={({ target }) => {
            void handOver([...(target.files ?? [])]);
            target.value = "";
          }}
        />
      </div>
      <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
        <div className="min-w-48 flex-1">
          <TextField
            label="Address of a page or file"
            type="url"
            placeholder="https://"
            maxLength={8_192}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </div>
        <Button type="submit" disabled={url.trim() === ""} busy={add.isPending}>
          Read it
        </Button>
      </form>
      {add.error !== null && <InlineError error={add.error} />}
    </section>
  );
}

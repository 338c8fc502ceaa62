import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CornerLeftUp, File, FileQuestion, Folder } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { CheckField, classNames, InlineError, ScrollRegion, SkeletonRows } from "../../ui/index.ts";
import { folderOf } from "./files-search.ts";

type Entry = AnswerOf<Extract<OperatorDefinition, { readonly name: "files.browse" }>>["entries"][number];

const ROW = "flex min-h-8 items-center gap-2 rounded-md px-2.5 py-1 text-sm";

/** The names in a folder of a project. */
export function FolderList({
  project,
  root,
  folder,
  open,
}: {
  readonly project: string;
  /** The project's folder on the machine. */
  readonly root: string;
  /** From the project's folder; blank: itself. */
  readonly folder: string;
  /** The path of the file that is shown. */
  readonly open: string | undefined;
}): ReactElement {
  const { operator } = useApi();
  const [hidden, setHidden] = useState(false);
  const path = folder === "" ? root : `${root}/${folder}`;
  const { data, error, refetch } = useQuery({
    queryKey: ["files", "folder", path, hidden],
    queryFn: ({ signal }) => operator.get("/api/fs/browse", { query: { path, files: true, hidden }, signal }),
    // Other programs add and remove files, which no event says.
    staleTime: 5_000,
  });
  return (
    <>
      <Trail project={project} folder={folder} />
      <ScrollRegion label="Files of the folder" className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {folder !== "" && (
          <Link to="/files" search={{ project, in: folderOf(folder) }} className={classNames(ROW, "hover:bg-hover")}>
            <CornerLeftUp aria-hidden className="size-4 shrink-0 text-ink-soft" />
            <span className="text-ink-soft">One folder up</span>
          </Link>
        )}
        {error !== null ? (
          <div className="p-2.5">
            <InlineError error={error} onRetry={() => refetch()} />
          </div>
        ) : data === undefined ? (
          <SkeletonRows rows={6} />
        ) : (
          <>
            <ul>
              {data.entries.map((entry) => (
                <li key={entry.name}>
                  <EntryRow entry={entry} {...{ project, folder, open }} />
                </li>
              ))}
            </ul>
            {data.entries.length === 0 && <p className="px-2.5 py-2 text-sm text-ink-soft">The folder is empty.</p>}
            {data.truncated && (
              <p className="px-2.5 py-2 text-sm text-ink-soft">It holds more names than the 1,000 shown here.</p>
            )}
          </>
        )}
      </ScrollRegion>
      <CheckField
        label="Hidden files"
        checked={hidden}
        onChange={({ target }) => setHidden(target.checked)}
        className="min-h-9 shrink-0 gap-2 border-t border-line px-4 text-sm text-ink-soft"
      />
    </>
  );
}

/** From the project to the folder, each a link. */
function Trail({ project, folder }: { readonly project: string; readonly folder: string }): ReactElement {
  const names = folder === "" ? [] : folder.split("/");
  return (
    <nav
      aria-label="Folder"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-1 border-b border-line px-4 py-1 text-sm"
    >
      <Link to="/files" search={{ project, in: "" }} className="font-medium hover:underline">
        {project}
      </Link>
      {names.map((name, index) => (
        <span key={index} className="inline-flex min-w-0 items-center gap-1">
          <span aria-hidden className="text-ink-soft">
            /
          </span>
          <Link
            to="/files"
            search={{ project, in: names.slice(0, index + 1).join("/") }}
            className="min-w-0 break-all hover:underline"
          >
            {name}
          </Link>
        </span>
      ))}
    </nav>
  );
}

function EntryRow({
  entry: { name, kind, link },
  project,
  folder,
  open,
}: {
  readonly entry: Entry;
  readonly project: string;
  readonly folder: string;
  readonly open: string | undefined;
}): ReactElement {
  const path = folder === "" ? name : `${folder}/${name}`;
  const Icon = kind === "dir" ? Folder : kind === "file" ? File : FileQuestion;
  const content = (
    <>
      <Icon aria-hidden className={classNames("size-4 shrink-0", kind === "dir" ? "text-accent" : "text-ink-soft")} />
      <span className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </span>
      {link && <span className="shrink-0 text-xs text-ink-soft">link</span>}
    </>
  );
  if (kind === "other") return <span className={classNames(ROW, "text-ink-soft")}>{content}</span>;
  return (
    <Link
      to="/files"
      search={kind === "dir" ? { project, in: path } : { project, in: folder, path }}
      aria-current={path === open ? "page" : undefined}
      className={classNames(ROW, path === open ? "bg-accent-soft font-medium" : "hover:bg-hover")}
    >
      {content}
    </Link>
  );
}

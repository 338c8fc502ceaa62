import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, FolderSymlink } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, boxClass, CheckField, classNames, InlineError, SkeletonRows } from "../../ui/index.ts";

type Listing = AnswerOf<Extract<OperatorDefinition, { readonly name: "files.browse" }>>;

/** Walks through the folders of the machine. `onPath` is called with the folder that is shown, which is the chosen one. */
export function FolderPicker({ onPath }: { readonly onPath: (path: string | undefined) => void }): ReactElement {
  const { operator } = useApi();
  const [wanted, setWanted] = useState("");
  const [hidden, setHidden] = useState(false);
  const { data, error, isPlaceholderData } = useQuery({
    // Not among what `projects.changed` makes stale: a folder is read when somebody goes there.
    queryKey: ["browse", wanted, hidden],
    queryFn: () => operator.get("/api/fs/browse", { query: { path: wanted, hidden } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  const path = error === null && !isPlaceholderData ? data?.path : undefined;
  useEffect(() => onPath(path), [onPath, path]);
  return (
    <div className="flex flex-col gap-2">
      <PathField path={path ?? wanted} onGo={setWanted} />
      {data !== undefined && (
        <div className="flex flex-wrap gap-1">
          {data.roots.map((root) => (
            <Button key={`${root.label} ${root.path}`} small title={root.path} onClick={() => setWanted(root.path)}>
              {root.label}
            </Button>
          ))}
        </div>
      )}
      {error !== null && <InlineError error={error} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={5} />
      ) : (
        <FolderList listing={data} isBusy={isPlaceholderData && error === null} onGo={setWanted} />
      )}
      <CheckField
        label="Show hidden folders"
        className="gap-1.5 self-start text-sm text-ink-soft"
        checked={hidden}
        onChange={({ target }) => setHidden(target.checked)}
      />
    </div>
  );
}

/** The address of the folder: typed, or as it was reached. */
function PathField({ path, onGo }: { readonly path: string; readonly onGo: (path: string) => void }): ReactElement {
  const [typed, setTyped] = useState<string>();
  const go = (): void => {
    if (typed !== undefined) onGo(typed.trim());
    setTyped(undefined);
  };
  return (
    <input
      aria-label="Folder"
      className={classNames(boxClass, "min-h-9 font-mono text-sm")}
      value={typed ?? path}
      spellCheck={false}
      autoComplete="off"
      // A listing that comes meanwhile does not change what somebody is about to type over.
      onFocus={() => setTyped(path)}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={go}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        // The form around it is for the folder that is shown.
        event.preventDefault();
        go();
      }}
    />
  );
}

function FolderList({
  listing: { path, parent, entries, truncated },
  isBusy,
  onGo,
}: {
  readonly listing: Listing;
  readonly isBusy: boolean;
  readonly onGo: (path: string) => void;
}): ReactElement {
  const list = useRef<HTMLUListElement>(null);
  // Another folder is read from its beginning.
  useEffect(() => {
    if (path !== "" && list.current !== null) list.current.scrollTop = 0;
  }, [path]);
  return (
    <ul
      ref={list}
      aria-label="Folders"
      aria-busy={isBusy}
      className="h-56 overflow-y-auto rounded-md border border-line bg-sunken p-1"
    >
      {parent !== null && (
        <li>
          <FolderButton icon={CornerLeftUp} name="Up" onGo={() => onGo(parent)} />
        </li>
      )}
      {entries.map((entry) => (
        <li key={entry.name}>
          <FolderButton icon={entry.link ? FolderSymlink : Folder} name={entry.name} onGo={() => onGo(entry.path)} />
        </li>
      ))}
      {entries.length === 0 && <li className="px-2 py-1.5 text-sm text-ink-soft">There is no folder in it.</li>}
      {truncated && (
        <li className="px-2 py-1.5 text-sm text-ink-soft">There are more than are shown: type the path above.</li>
      )}
    </ul>
  );
}

function FolderButton({
  icon: Icon,
  name,
  onGo,
}: {
  readonly icon: typeof Folder;
  readonly name: string;
  readonly onGo: () => void;
}): ReactElement {
  return (
    <button
      type="button"
      onClick={onGo}
      className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover max-list:min-h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <span className="min-w-0 truncate">{name}</span>
    </button>
  );
}

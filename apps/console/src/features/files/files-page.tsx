import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useApi } from "../../api/index.ts";
import { type CodePlace, DiffView, FileView, linesValue, parseLines } from "../../code-view/index.ts";
import { ListColumn } from "../../list-column/index.ts";
import { buttonClass, classNames, EmptyState, ErrorState, Page, SkeletonRows } from "../../ui/index.ts";
import { folderOf, searchOf } from "./files-search.ts";
import { FolderList } from "./folder-list.tsx";
import { ProjectBar } from "./project-bar.tsx";

/** The files of a project beside the one that is open; on a phone they are two pages. */
export function FilesPage(): ReactElement {
  const search = searchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <InProject wanted={search.project}>
      {(project, root) => {
        const { path, lines } = search;
        const folder = search.in ?? folderOf(path ?? "");
        const place: CodePlace | undefined =
          path === undefined ? undefined : { project, path, lines: parseLines(lines), note: "" };
        return (
          <>
            <ListColumn hidden={place !== undefined}>
              <FolderList key={root} {...{ project, root, folder, open: path }} />
            </ListColumn>
            <div
              className={classNames(
                "min-h-0 min-w-0 flex-1 flex-col",
                place === undefined ? "hidden list:flex" : "flex",
              )}
            >
              {place === undefined ? (
                <EmptyState drawing="folders" title="Choose a file">
                  It is shown here as it is now, line by line. A line number is a link that you can share.
                </EmptyState>
              ) : (
                <>
                  <div className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line px-4 py-1">
                    <Link
                      to="/files"
                      search={{ project, in: folder }}
                      className={classNames(
                        buttonClass({ kind: "quiet", icon: true, small: true }),
                        "-ml-2 list:hidden",
                      )}
                      aria-label="Back to the files"
                    >
                      <ArrowLeft aria-hidden className="size-4" />
                    </Link>
                    <h2 className="min-w-0 font-mono text-sm break-all">{place.path}</h2>
                  </div>
                  <FileView
                    key={`${project}/${place.path}`}
                    place={place}
                    onLines={(chosen) =>
                      void navigate({
                        to: "/files",
                        search: { ...search, project, lines: linesValue(chosen) },
                        replace: true,
                      })
                    }
                  />
                </>
              )}
            </div>
          </>
        );
      }}
    </InProject>
  );
}

/** What differs in a project from its last commit. */
export function ChangesPage(): ReactElement {
  const search = searchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  return (
    <InProject wanted={search.project}>
      {(project) => (
        <DiffView
          key={project}
          project={project}
          first={search.path}
          onOpen={(path) => void navigate({ to: "/files", search: { project, path } })}
        />
      )}
    </InProject>
  );
}

/** The page below the line with the projects and its parts; `children` draws it for the project that is looked at. */
function InProject({
  wanted,
  children,
}: {
  readonly wanted: string | undefined;
  readonly children: (project: string, root: string) => ReactNode;
}): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ["projects", "roots"],
    queryFn: () => operator.get("/api/fs/roots"),
  });
  const names = Object.keys(data?.roots ?? {});
  const project = wanted ?? names[0];
  const root = project === undefined ? undefined : data?.roots[project];
  return (
    <Page title="Files" lead={<ProjectBar names={names} project={project} />} fill>
      {error !== null && data === undefined ? (
        <ErrorState title="The projects cannot be read" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonRows rows={6} />
      ) : project === undefined ? (
        <EmptyState drawing="folders" title="There are no projects">
          The agent reaches no folder here, so there are no files to show. Add a project first.
        </EmptyState>
      ) : root === undefined ? (
        <EmptyState drawing="search" title="This project is gone">
          There is no project “{project}” any more, or its folder is missing. Choose another one above.
        </EmptyState>
      ) : (
        children(project, root)
      )}
    </Page>
  );
}

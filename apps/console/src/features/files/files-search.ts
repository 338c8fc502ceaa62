/** What the address says of the files that are looked at. */
export interface FilesSearch {
  readonly project?: string;
  /** The folder whose names are listed; blank: the project's own. Default: that of the file. */
  readonly in?: string;
  readonly path?: string;
  /** `12` or `12-20`. */
  readonly lines?: string;
}

/** Reads it from the address, where a name of digits is a number. */
export function searchOf(search: Readonly<Record<string, unknown>>): FilesSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
  };
  const [project, folder, path, lines] = [text("project"), text("in"), text("path"), text("lines")];
  return {
    ...(project !== undefined && { project }),
    ...(folder !== undefined && { in: folder }),
    ...(path !== undefined && path !== "" && { path }),
    ...(lines !== undefined && { lines }),
  };
}

/** The folder that a path lies in; blank: the project's own. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

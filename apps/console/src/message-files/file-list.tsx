import { lazy, type ReactElement, Suspense } from "react";
import { type FileListProps, isPicture } from "./shown-file.ts";

// Loaded with the first file: most conversations have none.
const ShownFiles = lazy(() => import("./shown-files.tsx"));

/** The files of a message or a result: pictures as thumbnails that open large, others by name and size. */
export function FileList(props: FileListProps): ReactElement | null {
  const { files, small = false } = props;
  if (files.length === 0) return null;
  // As high as what comes, so that nothing below it moves.
  const height = !files.some(isPicture) ? "h-8" : small ? "h-16" : "h-40";
  return (
    <Suspense fallback={<div className={height} />}>
      <ShownFiles {...props} />
    </Suspense>
  );
}

import { type ComponentProps, lazy, type ReactElement, Suspense } from "react";

const Inspector = lazy(async () => ({ default: (await import("./inspector.tsx")).Inspector }));

/** The inspector, a sixth of the chat's code, loaded when it is opened first. */
export function OpenedInspector(props: ComponentProps<typeof Inspector>): ReactElement {
  return (
    <Suspense>
      <Inspector {...props} />
    </Suspense>
  );
}

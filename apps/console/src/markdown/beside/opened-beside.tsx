import { type ComponentProps, lazy, type ReactElement, Suspense } from "react";

const BesidePane = lazy(() => import("./beside-pane.tsx"));

/** What is opened beside a conversation, loaded when the first is. */
export function OpenedBeside(props: ComponentProps<typeof BesidePane>): ReactElement {
  return (
    <Suspense>
      <BesidePane {...props} />
    </Suspense>
  );
}

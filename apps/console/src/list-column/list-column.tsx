import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useApi } from "../api/index.ts";
import { classNames } from "../ui/index.ts";
import { COLUMN, fitted, readWidth, widthAfter } from "./column-width.ts";

/**
 * The column with a screen's list, beside what is open of it: as wide as the person made it, by pointer or keys, on every
 * screen of this browser. On a phone it is as wide as the page.
 */
export function ListColumn({
  hidden = false,
  children,
}: {
  /** On a phone the column is hidden. */
  readonly hidden?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const { listWidth } = useApi();
  const kept = useSyncExternalStore(listWidth.subscribe, listWidth.read);
  const [dragged, setDragged] = useState<number>();
  const column = useRef<HTMLDivElement>(null);
  const id = useId();
  const width = dragged ?? readWidth(kept);
  const keep = (next: number): void => listWidth.write(next === COLUMN.usual ? undefined : String(next));
  const end = (): void => {
    if (dragged !== undefined) keep(dragged);
    setDragged(undefined);
  };
  return (
    <div
      ref={column}
      id={id}
      className={classNames(
        "relative flex w-full min-w-0 shrink-0 border-line list:w-(--list-width) list:border-r",
        hidden && "max-list:hidden",
      )}
      style={{ "--list-width": `${width}px` } as CSSProperties}
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
      <hr
        aria-label="Width of the list"
        aria-orientation="vertical"
        aria-controls={id}
        aria-valuenow={width}
        aria-valuemin={COLUMN.narrowest}
        aria-valuemax={COLUMN.widest}
        aria-valuetext={`${width} pixels`}
        tabIndex={0}
        title="Drag to make the list wider or narrower, double-click for its default width"
        className="absolute inset-y-0 -right-1.5 z-10 h-auto w-2.5 border-0 cursor-col-resize touch-none after:absolute after:inset-y-0 after:right-1.25 after:w-0.5 after:transition-colors hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-accent max-list:hidden"
        onPointerDown={(event: PointerEvent<HTMLElement>) => {
          if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event: PointerEvent<HTMLElement>) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          setDragged(fitted(event.clientX - (column.current?.getBoundingClientRect().left ?? 0)));
        }}
        onLostPointerCapture={end}
        onDoubleClick={() => keep(COLUMN.usual)}
        onKeyDown={(event: KeyboardEvent) => {
          const next = widthAfter(event.key, width);
          if (next === undefined) return;
          event.preventDefault();
          keep(next);
        }}
      />
    </div>
  );
}

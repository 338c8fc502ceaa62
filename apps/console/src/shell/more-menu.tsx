import { Link, useLocation } from "@tanstack/react-router";
import { BookText, Ellipsis, Search } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../api/index.ts";
import { useCommandList } from "../commands/index.ts";
import { classNames, Dialog } from "../ui/index.ts";
import { RAIL_ITEM } from "./rail-item.ts";
import type { Screen } from "./screen.ts";
import { useScreensWaiting } from "./use-screen-waiting.ts";
import { WaitingBadge } from "./waiting-badge.tsx";

/** On a phone, the entries that do not fit into the bottom bar, and what is otherwise reached by keyboard only. */
export function MoreMenu({ screens }: { readonly screens: readonly Screen[] }): ReactElement {
  const { baseUrls } = useApi();
  const { pathname } = useLocation();
  const palette = useCommandList().find(({ id }) => id === "palette");
  const waiting = useScreensWaiting(screens);
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const isHere = screens.some(({ id }) => pathname.split("/")[1] === id);
  return (
    <>
      <button
        type="button"
        data-status={isHere ? "active" : undefined}
        aria-haspopup="dialog"
        className={classNames(RAIL_ITEM, "list:hidden")}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden className="size-5" />
        <span className="text-xs">More</span>
        <WaitingBadge count={waiting.reduce((sum, count) => sum + count, 0)} className="absolute top-1 right-1" />
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="More" sheet="bottom">
        <ul className="-m-2 flex flex-col">
          {screens.map(({ id, label, icon: Icon }, at) => (
            <li key={id}>
              <Link to={`/${id}`} className={ROW} onClick={close}>
                <Icon aria-hidden className="size-5" />
                {label}
                <WaitingBadge count={waiting[at] ?? 0} className="ml-auto" />
              </Link>
            </li>
          ))}
          <li>
            <a href={`${baseUrls.console}/docs`} target="_blank" rel="noreferrer" className={ROW} onClick={close}>
              <BookText aria-hidden className="size-5" />
              API reference
            </a>
          </li>
          {palette !== undefined && (
            <li>
              <button
                type="button"
                className={ROW}
                onClick={() => {
                  close();
                  palette.run();
                }}
              >
                <Search aria-hidden className="size-5" />
                {palette.label}
              </button>
            </li>
          )}
        </ul>
      </Dialog>
    </>
  );
}

const ROW =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left hover:bg-hover data-[status=active]:bg-accent-soft data-[status=active]:text-accent";

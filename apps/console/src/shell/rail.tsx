import { Link } from "@tanstack/react-router";
import { BookText } from "lucide-react";
import type { ReactElement } from "react";
import { useApi } from "../api/index.ts";
import { Mark } from "../identity/index.ts";
import { classNames } from "../ui/index.ts";
import { MoreMenu } from "./more-menu.tsx";
import { RAIL_ITEM } from "./rail-item.ts";
import { beyondBar, type Screen } from "./screen.ts";
import { useScreenWaiting } from "./use-screen-waiting.ts";
import { WaitingBadge } from "./waiting-badge.tsx";

/** How many prompts wait for a person, on any surface. */
export const PROMPTS_WAITING: NonNullable<Screen["waiting"]> = {
  key: ["approvals", "count"],
  read: async ({ operator }) => (await operator.get("/api/approvals", { query: { limit: 1 } })).pending,
};

/** The same, read again as it changes. */
export function useWaitingCount(): number {
  return useScreenWaiting({ id: "approvals", waiting: PROMPTS_WAITING });
}

/** Goes to the screens: at the side, on a phone at the bottom. */
export function Rail({ screens }: { readonly screens: readonly Screen[] }): ReactElement {
  const { baseUrls } = useApi();
  const work = screens.filter(({ group }) => group === "work");
  const service = screens.filter(({ group }) => group === "service");
  const beyond = beyondBar([...work, ...service]);
  return (
    <nav
      aria-label="Screens"
      className="order-last flex shrink-0 border-line bg-sunken max-list:border-t list:order-first list:w-17 list:flex-col list:border-r"
    >
      <div className="hidden justify-center pt-3 pb-1 list:flex">
        <Mark className="size-8 text-accent" />
      </div>
      <div className="flex flex-1 justify-around list:flex-col list:justify-start list:gap-1 list:py-2">
        {work.map((screen) => (
          <RailLink key={screen.id} screen={screen} inBar={!beyond.includes(screen)} />
        ))}
        {beyond.length > 0 && <MoreMenu screens={beyond} />}
      </div>
      <div className="flex justify-around list:flex-col list:gap-1 list:py-2">
        {service.map((screen) => (
          <RailLink key={screen.id} screen={screen} inBar={!beyond.includes(screen)} />
        ))}
        <a
          href={`${baseUrls.console}/docs`}
          className={classNames(RAIL_ITEM, "max-list:hidden")}
          title="API reference"
          target="_blank"
          rel="noreferrer"
        >
          <BookText aria-hidden className="size-5" />
          <span className="text-xs">
            API<span className="sr-only"> reference</span>
          </span>
        </a>
      </div>
    </nav>
  );
}

function RailLink({
  screen,
  inBar,
}: {
  readonly screen: Screen;
  /** On a phone too; else it is among more. */
  readonly inBar: boolean;
}): ReactElement {
  const { icon: Icon, label, id } = screen;
  const count = useScreenWaiting(screen);
  return (
    <Link to={`/${id}`} className={classNames(RAIL_ITEM, !inBar && "max-list:hidden")}>
      <Icon aria-hidden className="size-5" />
      <span className="text-xs">{label}</span>
      <WaitingBadge count={count} className="absolute top-1 right-1" />
    </Link>
  );
}

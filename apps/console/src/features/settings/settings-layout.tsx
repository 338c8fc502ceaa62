import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { ListColumn } from "../../list-column/index.ts";
import { classNames } from "../../ui/index.ts";
import { settingsLinks } from "./settings-links.ts";
import { UnsavedProvider, useUnsavedCount } from "./unsaved.tsx";
import { useSettings } from "./use-settings.ts";

/** The settings: their navigation at the side, on a phone on a page of its own. */
export function SettingsLayout(): ReactElement {
  return (
    <UnsavedProvider>
      <SettingsWithLinks />
    </UnsavedProvider>
  );
}

function SettingsWithLinks(): ReactElement {
  const { data } = useSettings();
  const { pathname } = useLocation();
  const atList = /\/settings\/?$/.test(pathname);
  // On a phone the navigation is the page, so its title is the page's.
  const Title = atList ? "h1" : "p";
  const groups = useMemo(() => settingsLinks(data?.groups ?? []), [data]);
  const unsaved = useUnsavedCount();
  return (
    <div className="flex min-w-0 flex-1">
      <ListColumn hidden={!atList}>
        <nav aria-label="Settings" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
          <Title className="flex min-h-12 shrink-0 items-center px-4 text-lg font-semibold">Settings</Title>
          {groups.map(({ title, links }) => (
            <div key={title} className="px-2 pb-4">
              <h2 className="px-2 pb-1 text-xs font-medium text-ink-soft">{title}</h2>
              <ul>
                {links.map(({ path, label, sections = [] }) => (
                  <li key={path}>
                    <Link
                      to={path}
                      activeOptions={{ exact: true, includeSearch: false }}
                      className="flex min-h-8 items-center rounded-md px-2 hover:bg-hover data-[status=active]:bg-accent-soft data-[status=active]:text-accent max-list:min-h-11"
                    >
                      {label}
                      {unsaved(sections) > 0 && (
                        <span className="ml-auto pl-2 text-xs whitespace-nowrap text-ink-soft">
                          {unsaved(sections)} not saved
                        </span>
                      )}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </ListColumn>
      <div className={classNames("min-w-0 flex-1", atList ? "hidden list:flex" : "flex")}>
        <Outlet />
      </div>
    </div>
  );
}

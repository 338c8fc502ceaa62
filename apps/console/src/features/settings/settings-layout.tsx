import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { ListColumn } from "../../list-column/index.ts";
import { classNames } from "../../ui/index.ts";
import { ALL_SETTINGS, type SettingsLink, settingsLinks } from "./settings-links.ts";
import { SettingsSearch } from "./settings-search.tsx";
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
  const groups = useMemo(() => (data === undefined ? [] : settingsLinks(data)), [data]);
  const unsaved = useUnsavedCount();
  return (
    <div className="flex min-w-0 flex-1">
      <ListColumn hidden={!atList}>
        <nav aria-label="Settings" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
          <Title className="flex min-h-12 shrink-0 items-center px-4 font-display text-lg font-semibold">
            Settings
          </Title>
          {/* On a phone the navigation is the page; beside it each page has the search. */}
          <div className="px-4 pb-3 list:hidden">
            <SettingsSearch value="" />
          </div>
          {groups.map(({ title, description, links }) => (
            <div key={title} className="px-2 pb-4">
              <h2 className="px-2 pb-1 text-xs font-medium text-ink-soft max-list:pb-0 max-list:font-display max-list:text-lg max-list:font-semibold max-list:text-ink">
                {title}
              </h2>
              <p className="px-2 pb-1 text-sm text-ink-soft list:hidden">{description}</p>
              <ul>
                {links.map((link) => (
                  <NavigationLink key={link.path} link={link} unsaved={unsaved(link.sections ?? [])} />
                ))}
              </ul>
            </div>
          ))}
          <ul className="mx-2 mt-auto border-t border-line py-2">
            <NavigationLink link={ALL_SETTINGS} unsaved={0} />
          </ul>
        </nav>
      </ListColumn>
      <div className={classNames("min-w-0 flex-1", atList ? "hidden list:flex" : "flex")}>
        <Outlet />
      </div>
    </div>
  );
}

function NavigationLink({
  link: { path, label },
  unsaved,
}: {
  readonly link: SettingsLink;
  /** Number of changes on its page that are not saved. */
  readonly unsaved: number;
}): ReactElement {
  return (
    <li>
      <Link
        to={path}
        activeOptions={{ exact: true, includeSearch: false }}
        className="flex min-h-8 items-center py-1 leading-snug rounded-md px-2 hover:bg-hover data-[status=active]:bg-accent-soft data-[status=active]:text-accent max-list:min-h-11"
      >
        {label}
        {unsaved > 0 && (
          <span className="ml-auto pl-2 text-xs whitespace-nowrap text-ink-soft">{unsaved} not saved</span>
        )}
      </Link>
    </li>
  );
}

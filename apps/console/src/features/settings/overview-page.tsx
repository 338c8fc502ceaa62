import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { ErrorState, Page, SkeletonRows } from "../../ui/index.ts";
import { ALL_SETTINGS, type LinkGroup, settingsLinks } from "./settings-links.ts";
import { SettingsSearch } from "./settings-search.tsx";
import { useSettings } from "./use-settings.ts";

/** The begin of the settings: what there is to set, in groups, with a search over all of it. */
export function OverviewPage(): ReactElement {
  const { data, error, refetch, isPending } = useSettings();
  const groups = useMemo(() => (data === undefined ? [] : settingsLinks(data)), [data]);
  return (
    <Page title="Settings">
      <div className="max-w-4xl px-4 pb-16">
        <div className="pt-4">
          <SettingsSearch value="" />
        </div>
        {isPending && <SkeletonRows rows={8} />}
        {error !== null && data === undefined && (
          <ErrorState title="The settings cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && (
          <>
            <div className="grid gap-x-10 gap-y-8 pt-7 inspector:grid-cols-2">
              {groups.map((group) => (
                <Group key={group.title} group={group} />
              ))}
            </div>
            <p className="mt-8 border-t border-line pt-4">
              <Link to={ALL_SETTINGS.path} className="text-accent underline">
                {ALL_SETTINGS.label}
              </Link>{" "}
              <span className="text-ink-soft">on one page, with where each value comes from.</span>
            </p>
          </>
        )}
      </div>
    </Page>
  );
}

function Group({ group: { title, description, links } }: { readonly group: LinkGroup }): ReactElement {
  return (
    <section aria-label={title}>
      <h2 className="font-display text-lg font-semibold">{title}</h2>
      <p className="text-sm text-ink-soft">{description}</p>
      <ul className="mt-2">
        {links.map(({ path, label }) => (
          <li key={path} className="border-t border-line first:border-t-0">
            <Link
              to={path}
              className="-mx-2 flex min-h-10 items-center gap-2 rounded-md px-2 py-2 hover:bg-hover max-list:min-h-11"
            >
              {label}
              <ChevronRight aria-hidden className="ml-auto size-4 shrink-0 text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

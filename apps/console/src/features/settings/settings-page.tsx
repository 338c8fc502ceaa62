import { useParams, useSearch } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { EmptyState, ErrorState, Page, SkeletonRows } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { SandboxState } from "./sandbox/sandbox-state.tsx";
import { searchSettings } from "./search-settings.ts";
import { SettingsSearch } from "./settings-search.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { fieldOf, useSettings } from "./use-settings.ts";

/** The settings of a category, or of a search over all of them (`?q=`). */
export function SettingsPage(): ReactElement {
  const { category } = useParams({ strict: false }) as { readonly category?: string };
  const { q = "" } = useSearch({ strict: false }) as { readonly q?: string };
  const { data, error, refetch, isPending } = useSettings();
  const heading = data?.categories.find(({ name }) => name.toLowerCase() === category);
  const searched = q.trim() !== "";
  const groups = useMemo(() => {
    const { groups: all = [], categories = [] } = data ?? {};
    const headingOf = (of: string): string => categories.find(({ name }) => name === of)?.title ?? of;
    if (searched) return searchSettings(all, q, headingOf);
    return category === undefined ? all : all.filter((group) => group.category.toLowerCase() === category);
  }, [data, q, searched, category]);
  const title = searched ? "Found settings" : category === undefined ? "All settings" : (heading?.title ?? "Settings");
  return (
    <Page title={title} lead={<BackToSettings />}>
      <div className="max-w-4xl px-4 pb-16">
        <div className="pt-4">
          <SettingsSearch value={q} />
        </div>
        {!searched && heading !== undefined && <p className="pt-4 text-ink-soft">{heading.description}</p>}
        {isPending && <SkeletonRows rows={8} />}
        {error !== null && data === undefined && (
          <ErrorState title="The settings cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && groups.length === 0 && (
          <EmptyState drawing="search" title="No setting matches the search">
            Search by a label, a key or what a setting does.
          </EmptyState>
        )}
        {!searched && category === "files" && data !== undefined && (
          <SandboxState wanted={fieldOf(data, "filesystem.sandbox")?.value} />
        )}
        {data !== undefined &&
          groups.map(({ section, fields }) => {
            const whole = data.groups.find((group) => group.section === section);
            return (
              whole !== undefined && (
                <SettingsSection key={section} group={whole} only={new Set(fields.map(({ key }) => key))} />
              )
            );
          })}
      </div>
    </Page>
  );
}

import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { EmptyState, ErrorState, Page, SkeletonRows, TextField } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { searchSettings } from "./search-settings.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useSettings } from "./use-settings.ts";

/** The settings of a category, or of a search over all of them (`?q=`). */
export function SettingsPage(): ReactElement {
  const { category } = useParams({ strict: false }) as { readonly category?: string };
  const { q = "" } = useSearch({ strict: false }) as { readonly q?: string };
  const navigate = useNavigate();
  const { data, error, refetch, isPending } = useSettings();
  const groups = useMemo(() => {
    const all = data?.groups ?? [];
    if (q.trim() !== "") return searchSettings(all, q);
    return category === undefined ? all : all.filter((group) => group.category.toLowerCase() === category);
  }, [data, q, category]);
  const title = q.trim() !== "" ? "Found settings" : (groups[0]?.category ?? "Settings");
  return (
    <Page title={category === undefined && q.trim() === "" ? "All settings" : title} lead={<BackToSettings />}>
      <div className="mx-auto max-w-4xl px-4 pb-16">
        <div className="pt-4">
          <TextField
            label="Search all settings"
            bare
            type="search"
            placeholder="Search all settings"
            value={q}
            onChange={(event) =>
              void navigate({
                to: ".",
                search: event.target.value === "" ? {} : { q: event.target.value },
                replace: true,
              } as Parameters<typeof navigate>[0])
            }
          />
        </div>
        {isPending && <SkeletonRows rows={8} />}
        {error !== null && data === undefined && (
          <ErrorState title="The settings cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data !== undefined && groups.length === 0 && (
          <EmptyState title="No setting matches the search">
            Search by a label, a key or what a setting does.
          </EmptyState>
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

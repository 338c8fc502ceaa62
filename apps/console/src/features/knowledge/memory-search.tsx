import type { ReactElement } from "react";
import { CheckField, SelectField, TextField } from "../../ui/index.ts";
import type { FoundMemories } from "./memory-types.ts";
import { sourceLabel } from "./source-words.ts";
import type { MemoryFilter } from "./use-memories.ts";
import { useReadSources } from "./use-sources.ts";

/** What is looked for; undefined takes a part of it out of the address. */
export function MemorySearch({
  filter: { search, domain, source, superseded },
  domains,
  onSearch,
  onDomain,
  onSource,
  onSuperseded,
}: {
  readonly filter: MemoryFilter;
  /** With how many each has. */
  readonly domains: readonly (readonly [name: string, count: number])[];
  readonly onSearch: (value: string | undefined) => void;
  readonly onDomain: (value: string | undefined) => void;
  readonly onSource: (value: string | undefined) => void;
  readonly onSuperseded: (value: string | undefined) => void;
}): ReactElement {
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2 pt-4">
      <div className="min-w-48 flex-1 max-list:basis-full">
        <TextField
          label="Search"
          type="search"
          value={search}
          maxLength={2_000}
          onChange={({ target }) => onSearch(target.value === "" ? undefined : target.value)}
        />
      </div>
      <div className="max-list:min-w-0 max-list:flex-1 max-list:basis-28">
        <SelectField
          label="Domain"
          value={domain}
          onChange={({ target }) => onDomain(target.value === "" ? undefined : target.value)}
        >
          <option value="">All</option>
          {domains.map(([name, count]) => (
            <option key={name} value={name}>
              {`${name} (${count})`}
            </option>
          ))}
          {domain !== "" && !domains.some(([name]) => name === domain) && <option value={domain}>{domain}</option>}
        </SelectField>
      </div>
      <SourceField source={source} onSource={onSource} />
      <CheckField
        label="Also what was corrected"
        className="min-h-9 gap-1.5 text-sm text-ink-soft"
        checked={superseded}
        onChange={({ target }) => onSuperseded(target.checked ? "yes" : undefined)}
      />
    </div>
  );
}

/** Which document the memories are of; nothing where none was read. */
function SourceField({
  source,
  onSource,
}: {
  readonly source: string;
  readonly onSource: (value: string | undefined) => void;
}): ReactElement | null {
  const documents = useReadSources().data ?? [];
  if (documents.length === 0 && source === "") return null;
  return (
    <div className="max-w-64 max-list:min-w-0 max-list:flex-1 max-list:basis-28">
      <SelectField
        label="Document"
        value={source}
        onChange={({ target }) => onSource(target.value === "" ? undefined : target.value)}
      >
        <option value="">All</option>
        {documents.map((one) => (
          <option key={one.id} value={String(one.id)}>
            {`${sourceLabel(one)} (${one.total})`}
          </option>
        ))}
        {source !== "" && !documents.some(({ id }) => String(id) === source) && (
          <option value={source}>{`Document ${source}`}</option>
        )}
      </SelectField>
    </div>
  );
}

/** By what the memories were found. */
export function HowFound({ found: { mode, degraded, indexing } }: { readonly found: FoundMemories }): ReactElement {
  return (
    <p className="pt-3 text-sm text-ink-soft" role="status">
      {degraded
        ? "Search by meaning is not available now: these were found by their words."
        : `Found by ${mode === "hybrid" ? "words and meaning" : "words"}, the best first.`}
      {indexing && " Some memories are not found by meaning yet."}
    </p>
  );
}

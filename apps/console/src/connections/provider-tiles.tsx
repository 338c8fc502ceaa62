import { PROVIDER_PRESETS, type ProviderPreset, presetOf } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { Cloud, HardDrive, type LucideIcon, Play, Plug } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useApi } from "../api/index.ts";
import { classNames } from "../ui/index.ts";

/** What a person chose: a preset, or a server that runs on the service's machine, with its first model. */
export interface ChosenProvider {
  readonly preset: ProviderPreset;
  readonly baseUrl: string;
  readonly model: string;
}

const ICONS: Readonly<Record<ProviderPreset["place"], LucideIcon>> = { hosted: Cloud, local: HardDrive, own: Plug };
const LINES: Readonly<Record<ProviderPreset["place"], string>> = {
  hosted: "With a key",
  local: "On your machine",
  own: "By its address",
};

/** Where models can come from, a press each: what runs on this machine first, then the known providers, then the demo. */
export function ProviderTiles({
  onChoose,
  onDemo,
}: {
  readonly onChoose: (provider: ChosenProvider) => void;
  readonly onDemo: () => void;
}): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["local-models"],
    queryFn: () => operator.get("/api/config/models/local"),
  });
  const found = (data?.servers ?? []).map(({ server, base_url: baseUrl, models }) => {
    const preset = presetOf(baseUrl) ?? OTHER;
    return { preset, baseUrl, models, name: preset === OTHER ? server : preset.name };
  });
  const rest = PROVIDER_PRESETS.filter((preset) => preset !== OTHER && !found.some((one) => one.preset === preset));
  return (
    <div className="flex flex-col gap-5">
      {found.length > 0 && (
        <Tiles label="Found on this machine">
          {found.map(({ preset, baseUrl, models, name }) => (
            <Tile
              key={baseUrl}
              strong
              icon={HardDrive}
              name={name}
              line={models.length === 1 ? "1 model, no key" : `${models.length} models, no key`}
              onPress={() => onChoose({ preset, baseUrl, model: models[0] ?? "" })}
            />
          ))}
        </Tiles>
      )}
      <Tiles label={found.length > 0 ? "Or another provider" : "Providers"}>
        {rest.map((preset) => (
          <Tile
            key={preset.id}
            icon={ICONS[preset.place]}
            name={preset.name}
            line={LINES[preset.place]}
            onPress={() => onChoose({ preset, baseUrl: preset.baseUrl, model: "" })}
          />
        ))}
        <Tile
          icon={ICONS.own}
          name={OTHER.name}
          line={LINES.own}
          onPress={() => onChoose({ preset: OTHER, baseUrl: "", model: "" })}
        />
        <Tile icon={Play} name="Try the demo" line="Without a key" onPress={onDemo} />
      </Tiles>
    </div>
  );
}

const OTHER: ProviderPreset = PROVIDER_PRESETS.find(({ place }) => place === "own") ?? {
  ...{ id: "other", name: "Other", place: "own", baseUrl: "" },
};

function Tiles({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={label} className="flex flex-col gap-2">
      <h3 className="text-sm font-medium text-ink-soft">{label}</h3>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2">{children}</div>
    </section>
  );
}

function Tile({
  icon: Icon,
  name,
  line,
  strong = false,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly line: string;
  /** Offered before the others. */
  readonly strong?: boolean;
  readonly onPress: () => void;
}): ReactElement {
  return (
    <button
      type="button"
      onClick={onPress}
      className={classNames(
        "flex items-center gap-3 rounded-lg border px-3 py-2.5 text-left transition-colors duration-120 hover:border-accent-line hover:bg-raised",
        strong ? "border-accent-line bg-accent-soft" : "border-line",
      )}
    >
      <Icon aria-hidden className={classNames("size-4.5 shrink-0", strong ? "text-accent" : "text-ink-soft")} />
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">{name}</span>
        <span className="text-sm text-ink-soft">{line}</span>
      </span>
    </button>
  );
}

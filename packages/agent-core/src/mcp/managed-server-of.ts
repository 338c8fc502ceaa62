import type { ServerCalls } from "./call/index.ts";
import { connectTarget } from "./connect-target.ts";
import { ManagedServer, type ShownLists, type StartPlaces } from "./connection/index.ts";
import type { McpSectionValue } from "./mcp-section.ts";
import type { RunningEntry } from "./mcp-server-entry.ts";
import type { McpServersOptions } from "./mcp-servers-options.ts";
import { offersOf } from "./offer/index.ts";
import type { PlaceholderSource } from "./placeholder/index.ts";
import type { McpServerSettings } from "./settings/index.ts";
import { authorizationOf, signInOf } from "./sign-in/index.ts";

/** What the connection of a server is made of. */
export interface ManagedServerParts {
  readonly settings: McpServerSettings;
  readonly section: McpSectionValue;
  readonly placeholders: PlaceholderSource;
  readonly options: McpServersOptions;
  readonly places: StartPlaces;
  readonly calls: ServerCalls;
  onShown(server: ManagedServer, lists: ShownLists): Promise<void>;
  onChanged(server: ManagedServer): void;
}

/** A connection as the settings say, with its sign-in. */
export function managedServerOf(
  parts: ManagedServerParts,
): Pick<RunningEntry, "signIn"> & { readonly server: ManagedServer } {
  const { settings, section, placeholders, options, places, calls } = parts;
  const { clock, source, version, redactor } = options;
  const { name, target, elicitation } = settings;
  const offers = offersOf(settings);
  const signIn = signInOf(settings, placeholders, { ...options.signIn, clock });
  const server: ManagedServer = new ManagedServer({
    authorization: signIn && authorizationOf(signIn),
    ...{ name, clock, source, version, elicitation, offers, places },
    timeoutMs: section.timeout_seconds * 1_000,
    target: () => connectTarget(target, placeholders, options),
    redact: (line) => redactor.text(line),
    onShown: (lists) => parts.onShown(server, lists),
    onChanged: () => parts.onChanged(server),
    onElicitation: (elicited) => calls.onElicitation(elicited),
    onOffered: (method, asked) => calls.onOffered(method, asked),
  });
  return { server, signIn };
}

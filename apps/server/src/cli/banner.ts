export interface BannerFacts {
  readonly version: string;
  /** Base address, as `http://127.0.0.1:7870`. */
  readonly url: string;
  readonly ui: "console" | "none";
  readonly model: {
    /** As configured; no address, no key. */
    readonly name: string;
    /** The scripted model leads, which is not a language model (R10). */
    readonly scripted: boolean;
  };
  readonly store: {
    /** A path for people, or a URL without its token. */
    readonly location: string;
    /** False: in memory only (R12). */
    readonly durable: boolean;
  };
  /** `token`: bearer or API key. `open-loopback`, `open-network`: no credential is set. */
  readonly access: "token" | "open-loopback" | "open-network";
  /** The live configuration file, for people. */
  readonly configFile: string;
}

const accessTexts = {
  token: "a token is required",
  "open-loopback": "open on loopback only: no token is set",
  "open-network": "OPEN TO THE NETWORK: no token is set",
} as const;

/** The mark of the product, as one character: a ring with a gap at its upper right. */
const MARK = "◔";

/** The lines printed once the service answers: addresses, the model in use, where data goes, and what to do next. */
export function banner(facts: BannerFacts): string {
  const { url, model, store } = facts;
  const rows: [string, string][] = [
    ["A2A", `${url}/a2a        card: /.well-known/agent-card.json`],
    ["model", model.scripted ? `${model.name} (not a language model)` : model.name],
    ["store", `${store.location} (${store.durable ? "durable" : "in memory only"}), ${accessTexts[facts.access]}`],
    ["next", nextStep(facts)],
  ];
  if (facts.ui === "console") rows.unshift(["console", `${url}/app`]);
  return [
    `${MARK} agent-service ${facts.version}`,
    ...rows.map(([name, text]) => `  ${name.padEnd(10)}${text}`),
    "",
  ].join("\n");
}

function nextStep({ model, ui, configFile }: BannerFacts): string {
  if (model.scripted)
    return `connect a language model: providers and model.name in ${configFile}\n${" ".repeat(12)}or agent-service connect; no restart is needed`;
  return ui === "console"
    ? "open the console, or send a message to the A2A address"
    : "send a message to the A2A address";
}

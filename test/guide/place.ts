/** Where the walk takes place: a git server, a model and a service of their own, the service a process that can be killed. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitHttpBackend } from "../../apps/server/src/testing/index.ts";
import { type ServiceProcess, startServiceProcess } from "../../apps/server/src/testing/service-process.ts";
import { localGateway } from "../../packages/agent-core/src/testing/index.ts";
import { handsModel } from "./hands-model.ts";
import { makeRepository } from "./repository.ts";

/** The port of the git server, so that the guide names the same one each time. */
const GIT_PORT = 8418;

export interface Place extends AsyncDisposable {
  /** Address of the service; the same after a restart. */
  readonly url: string;
  readonly repository: string;
  /** The folder in which all of it lies. */
  readonly root: string;
  /** The folder of clones. */
  readonly clones: string;
  /** What a process of the person's needs to find the service. */
  readonly env: { readonly [name: string]: string };
  /** Kills the service as the system does that has no memory left, and returns once it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The text with this machine's places called as in the guide. */
  named(text: string): string;
}

/** The settings of the walk, beside the model's. */
function settingsOf(clones: string): string {
  return `egress:
  allowed_hosts: [localhost]
onboarding:
  root: ${clones}
  allow: ["localhost:${GIT_PORT}/ann/*"]
filesystem:
  code_pane: true
execute_code:
  enabled: true
`;
}

/** The same as they stand in the guide. */
export const GUIDE_SETTINGS = settingsOf("~/clones");

export async function makePlace(): Promise<Place> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "guide-")));
  const at = (...parts: string[]): string => join(root, ...parts);
  const clones = at("clones");
  makeRepository(at("served/ann/figures"));
  const git = createServer(gitHttpBackend(at("served"))).listen(GIT_PORT, "127.0.0.1");
  await once(git, "listening");
  const gateway = await localGateway(handsModel);
  gateway.list([{ id: "walk", context_length: 200_000, supported_parameters: ["tools"] }]);
  const model = `providers:
  - { id: local, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "local:walk" }
identity: { name: Ada }
`;
  const folders = {
    ...{ root, home: at("home"), config: at("config") },
    configure: (text: string) => {
      mkdirSync(at("config"), { recursive: true });
      writeFileSync(at("config/agent-config.yaml"), text);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  folders.configure(`${model}${settingsOf(clones)}`);
  let running: ServiceProcess | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    running = startServiceProcess({
      folders,
      args: ["--port", String(port)],
      env: { SVC_MODEL: "", SVC_HEADLESS_SETUP: "true" },
    });
    port = Number(new URL(await running.ready).port);
  };
  await start();
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, root, clones, start },
    repository: `http://localhost:${(git.address() as AddressInfo).port}/ann/figures`,
    env: { SVC_URL: url, SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config },
    async kill() {
      running?.signal("SIGKILL");
      await running?.ended;
    },
    named: (text) => text.replaceAll(root, "/home/ann").replaceAll(url, "http://127.0.0.1:7870"),
    async [Symbol.asyncDispose]() {
      await running?.[Symbol.asyncDispose]();
      await gateway.close();
      git.closeAllConnections();
      git.close();
      folders.remove();
    },
  };
}

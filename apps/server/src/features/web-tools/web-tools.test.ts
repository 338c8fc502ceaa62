/** `fetch_url` and `web_search` in the composed service, and the sections that steer them (B80; W3, S5, S8). */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadServerSettings } from "../../settings/index.ts";
import { temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService } from "../../testing/test-service.ts";

let server: Server;
let url: string;
let asked = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked++;
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Harbour</title><p>ships <b>inside</b></p>");
  }).listen(0);
  await once(server, "listening");
  url = `http://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const call = (target: string) => `/call fetch_url ${JSON.stringify({ url: target })}`;

test("a host that the configuration names is fetched and read as markdown", async () => {
  await using running = await startTestService({ config: "egress:\n  allowed_hosts: [LOCALHOST]\n" });
  const task = await running.wire.say(call(url));
  expect(textOf(task)).toContain(`[${url}, status 200]\n\n# Harbour\n\nships **inside**`);
  expect(asked).toBe(1);
});

test("without a name in the configuration nothing private is reached, and the model reads why", async () => {
  await using running = await startTestService();
  const before = asked;
  for (const target of [url, url.replace("localhost", "127.0.0.1"), "http://169.254.169.254/latest/meta-data/"]) {
    const task = await running.wire.say(call(target));
    expect(textOf(task)).toMatch(/is refused: it (?:is|has an address that is) not public/);
  }
  expect(asked).toBe(before);
});

test("a wrong entry refuses the start with one line (S8)", () => {
  const folders = temporaryFolders();
  try {
    folders.configure("egress:\n  allowed_hosts: ['http://wiki.example/']\n");
    const env = { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config };
    expect(() => loadServerSettings({ env, flags: {} })).toThrow(
      /^[^\n]*egress\.allowed_hosts[^\n]*host name without[^\n]*$/,
    );
  } finally {
    folders.remove();
  }
});

const lookFor = (query: string) => `/call web_search ${JSON.stringify({ query, max_results: 2 })}`;

describe("web_search", () => {
  const answers: { status: number; body: string }[] = [];
  const queries: (string | null)[] = [];
  let instance: Server;
  let address: string;
  beforeAll(async () => {
    instance = createServer((request, response) => {
      queries.push(new URL(request.url ?? "", "http://x").searchParams.get("q"));
      const { status, body } = answers.shift() ?? { status: 500, body: "" };
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    }).listen(0, "127.0.0.1");
    await once(instance, "listening");
    address = `http://127.0.0.1:${(instance.address() as AddressInfo).port}`;
  });
  afterAll(() => instance.close());

  test("queries the operator's own SearXNG, which may be private, and fetch_url gains nothing by that", async () => {
    await using running = await startTestService({ config: `web_search:\n  base_url: ${address}\n` });
    const results = ["one", "two", "three"].map((name) => ({
      title: name,
      url: `https://${name}.test/`,
      content: "c",
    }));
    answers.push({ status: 200, body: JSON.stringify({ results }) });
    const text = textOf(await running.wire.say(lookFor("ships & nights")));
    expect(text).toContain("https://two.test/");
    expect(text).not.toContain("https://three.test/");
    expect(queries).toEqual(["ships & nights"]);
    expect(textOf(await running.wire.say(call(`${address}/search?q=x`)))).toContain("is refused");
    expect(queries.length).toBe(1);
  });

  test("that fails ends no turn: the model reads why (R4)", async () => {
    await using running = await startTestService({ config: `web_search:\n  base_url: ${address}\n` });
    answers.push({ status: 429, body: "" }, { status: 200, body: "<html>" });
    for (const reason of ["SearXNG takes no more searches now", "is no list of results"]) {
      const task = await running.wire.say(lookFor("x"));
      expect([task.status.state, textOf(task)]).toEqual(["completed", expect.stringContaining(reason)]);
    }
  });

  test("takes its key from the secrets, else from its variable, and the redactor masks it (S5)", () => {
    const folders = temporaryFolders();
    try {
      const env = {
        SVC_HOME: folders.home,
        SVC_CONFIG_DIR: folders.config,
        WEB_SEARCH_API_KEY: "key-of-the-environment",
      };
      const fromVariable = loadServerSettings({ env, flags: {} });
      expect(fromVariable.web_search).toEqual({ provider: "auto", base_url: "", api_key: "key-of-the-environment" });
      expect(fromVariable.secrets).toContain("key-of-the-environment");
      writeFileSync(join(folders.config, "secrets.yaml"), "web_search: {api_key: key-of-the-overlay}\n", {
        mode: 0o600,
      });
      const fromOverlay = loadServerSettings({ env, flags: {} });
      expect(fromOverlay.web_search.api_key).toBe("key-of-the-overlay");
      expect(fromOverlay.secrets).toContain("key-of-the-overlay");
    } finally {
      folders.remove();
    }
  });

  test("a misspelt provider falls back to what is configured, with a warning that names the line (S8)", () => {
    const folders = temporaryFolders();
    try {
      folders.configure(`web_search:\n  provider: searx\n  base_url: ${address}\n`);
      const settings = loadServerSettings({
        env: { SVC_HOME: folders.home, SVC_CONFIG_DIR: folders.config },
        flags: {},
      });
      expect(settings.web_search).toMatchObject({ provider: "auto", base_url: address });
      expect(settings.warnings.join("\n")).toMatch(/agent-config\.yaml:2: web_search\.provider/);
    } finally {
      folders.remove();
    }
  });
});

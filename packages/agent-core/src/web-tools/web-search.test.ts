import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { afterEach, describe, expect, test } from "vitest";
import { createEgress } from "../egress/index.ts";
import { brave } from "./brave.ts";
import { chooseSearch } from "./choose-search.ts";
import { duckDuckGo } from "./duckduckgo.ts";
import { type SearchProvider, searchHosts, webSearch, webSearchSection } from "./index.ts";
import { createPageReader } from "./page-reader.ts";
import { searxng } from "./searxng.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A provider's double; resolves to its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://search.test:${(server.address() as AddressInfo).port}`;
}

const answering = (body: string | Uint8Array, status = 200, headers: { [name: string]: string } = {}) =>
  serve((_request, response) => response.writeHead(status, headers).end(body));

const egress = createEgress({ allowedHosts: ["search.test"], resolve: async () => ["127.0.0.1"] });
const KEY = "brave-key-0123456789";
const reader = createPageReader({ timeoutMs: 60_000 });
const line = (timeoutMs = 60_000) => ({ egress: () => egress, timeoutMs });
const providers: { readonly [name: string]: (address: string, timeoutMs?: number) => SearchProvider } = {
  SearXNG: (address, timeoutMs) => searxng(address, line(timeoutMs)),
  "Brave Search": (address, timeoutMs) => brave(KEY, { ...line(timeoutMs), address }),
  DuckDuckGo: (address, timeoutMs) => duckDuckGo({ ...line(timeoutMs), reader, address }),
};
const everyProvider = Object.entries(providers);

const logged: string[] = [];
const context = (signal = new AbortController().signal) =>
  fakeContext({ signal, log: { info() {}, warn: (message) => void logged.push(message) } });

async function search(provider: SearchProvider, input: object = {}, signal?: AbortSignal): Promise<unknown> {
  const tool = webSearch({ provider: () => provider });
  return tool.run(v.parse(tool.input, { query: "ships at night", ...input }), context(signal));
}

const found = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    title: `Ship ${n}`,
    url: `https://ships.test/${n}`,
    snippet: `Snippet ${n}`,
  }));
const searxngPage = (count: number, more: object = {}) =>
  JSON.stringify({ results: found(count).map(({ snippet, ...entry }) => ({ ...entry, content: snippet })), ...more });
const bravePage = (count: number) =>
  JSON.stringify({
    type: "search",
    web: { results: found(count).map(({ snippet, ...entry }) => ({ ...entry, description: snippet })) },
  });
const duckPage = (count: number) =>
  `<html><body><div id="links">${found(count)
    .map(
      ({ title, url, snippet }) =>
        `<div class="result"><a class="result__a" href="${url}">${title}</a><a class="result__snippet">${snippet}</a></div>`,
    )
    .join("")}</div></body></html>`;
const pageOf = { SearXNG: searxngPage, "Brave Search": bravePage, DuckDuckGo: duckPage } as const;

describe("web_search", () => {
  test.each(Object.entries(pageOf))("gives what %s found as title, address and snippet", async (name, page) => {
    const provider = providers[name]?.(await answering(page(3))) as SearchProvider;
    expect(await search(provider)).toEqual({ provider: name, results: found(3) });
  });

  test.each(Object.entries(pageOf))("reports when %s found nothing", async (name, page) => {
    const provider = providers[name]?.(await answering(page(0))) as SearchProvider;
    expect(await search(provider)).toEqual({ provider: name, results: [], note: "nothing was found" });
  });

  test("gives 5 results by default, and clamps a given number to 1 to 10", async () => {
    const provider = searxng(await answering(searxngPage(30)), line());
    const wanted = [undefined, 2, 0, -7, 2.9, 10, 400];
    const counts = [];
    for (const max of wanted) {
      const { results } = (await search(provider, max === undefined ? {} : { max_results: max })) as {
        results: object[];
      };
      counts.push(results.length);
    }
    expect(counts).toEqual([5, 2, 1, 1, 2, 10, 10]);
  });

  test("refuses an empty query and one that no provider would take, before anybody is asked", async () => {
    const provider: SearchProvider = { name: "Nobody", search: () => expect.unreachable() };
    for (const query of ["", "  \n", "x".repeat(401), 7]) {
      await expect(search(provider, { query })).rejects.toThrow(v.ValiError);
    }
  });

  test("is pure: it may be repeated after a crash (R3)", () => {
    expect(webSearch({ provider: () => expect.unreachable() }).effect).toBe("pure");
  });
});

describe("what a provider is asked", () => {
  async function asked(make: (address: string) => SearchProvider, answer: string) {
    let seen: { request: IncomingMessage; body: string } | undefined;
    const address = await serve((request, response) => {
      void text(request).then((body) => {
        seen = { request, body };
        response.end(answer);
      });
    });
    await search(make(address), { query: "  c++ & <b>?q=1#x ", max_results: 3 });
    const { request, body } = seen as { request: IncomingMessage; body: string };
    return { request, body, url: new URL(request.url ?? "", address) };
  }

  test("SearXNG: the query, whatever is in it, is one parameter below the configured address", async () => {
    const { request, url } = await asked((address) => searxng(`${address}/searx/`, line()), searxngPage(0));
    expect([request.method, url.pathname]).toEqual(["GET", "/searx/search"]);
    expect([...url.searchParams]).toEqual([
      ["q", "c++ & <b>?q=1#x"],
      ["format", "json"],
    ]);
  });

  test("Brave Search: the key travels in its header, not in the address", async () => {
    const { request, url } = await asked((address) => brave(KEY, { ...line(), address }), bravePage(0));
    expect(request.headers["x-subscription-token"]).toBe(KEY);
    expect(url.href).not.toContain(KEY);
    expect([url.searchParams.get("q"), url.searchParams.get("count")]).toEqual(["c++ & <b>?q=1#x", "3"]);
  });

  test("DuckDuckGo: the query is a form, and we do not present ourselves as a browser (R9)", async () => {
    const { request, body } = await asked((address) => duckDuckGo({ ...line(), reader, address }), duckPage(0));
    expect([request.method, request.headers["content-type"]]).toEqual(["POST", "application/x-www-form-urlencoded"]);
    expect([...new URLSearchParams(body)]).toEqual([["q", "c++ & <b>?q=1#x"]]);
    expect(request.headers["user-agent"]).toBe("agent-service");
  });
});

describe.each(everyProvider)("a failing %s gives the model a clear result (R4)", (name, make) => {
  const failing = async (
    address: string,
    timeoutMs?: number,
    signal?: AbortSignal,
  ): Promise<{ code: string; message: string }> =>
    search(make(address, timeoutMs), {}, signal).then(
      () => expect.unreachable(),
      (error: { code: string; message: string }) => error,
    );

  test("that limits its rate", async () => {
    const error = await failing(await answering("{}", 429, { "retry-after": "30" }));
    expect(error).toMatchObject({
      code: "web_search.rate-limited",
      message: `${name} takes no more searches now. Try again in 30 s.`,
    });
    for (const wait of ["Wed, 21 Oct 2026 07:28:00 GMT", "-5", "99999999", "0"]) {
      const vague = await failing(await answering("{}", 429, { "retry-after": wait }));
      expect(vague.message).toBe(`${name} takes no more searches now. Try again later.`);
    }
  });

  test.each([500, 503, 400, 418])("that answers %i", async (status) => {
    const error = await failing(await answering("secret stack trace", status));
    expect(error).toMatchObject({
      code: "web_search.unavailable",
      message: `${name} answered with status ${status}, not with results.`,
    });
  });

  test("that refuses us", async () => {
    const error = await failing(await answering("no", 403));
    expect(error.code).toBe("web_search.refused");
    expect(error.message).toContain(name);
  });

  test("that does not listen, hangs up or does not exist; only the log has the host", async () => {
    const gone = await answering("");
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const hangsUp = await serve((request) => request.socket.destroy());
    for (const address of [gone, hangsUp]) {
      logged.length = 0;
      const error = await failing(address);
      expect(error.code).toBe("web_search.unavailable");
      expect(error.message).toBe(`${name} cannot be reached (network). Try again later, or go on without a search.`);
      expect(logged).toEqual([expect.stringContaining("search.test")]);
    }
  });

  test("that answers neither head nor body in time", async () => {
    const stalls = await serve((_request, response) => response.writeHead(200).write("<html>"));
    for (const address of [await serve(() => {}), stalls]) {
      const error = await failing(address, 100);
      expect(error.code).toBe("web_search.unavailable");
      expect(error.message).toContain("did not answer in time");
    }
  });

  test("that redirects, to a private address or anywhere, is not followed, and gets no key (W3)", async () => {
    let reached = 0;
    const target = await serve((_request, response) => void response.end(String(reached++)));
    for (const location of [target, "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"]) {
      const error = await failing(await answering("", 302, { location }));
      expect(error.message).toBe(`${name} answered with a redirect, which is not followed, not with results.`);
    }
    expect(reached).toBe(0);
  });

  test("that answers with a giant body, compressed or not, or one that cannot be decompressed", async () => {
    const giant = Buffer.alloc(30_000_000, " ");
    let written = 0;
    const streams = await serve((_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (response.writable && response.write(giant.subarray(0, 65_536))) written += 65_536;
      };
      response.on("drain", write);
      write();
    });
    const bomb = await answering(gzipSync(giant), 200, { "content-encoding": "gzip" });
    for (const address of [streams, bomb]) {
      const error = await failing(address);
      expect(error.message).toContain("answered with more than 1000000 bytes");
    }
    expect(written).toBeLessThan(20_000_000);
    const broken = await failing(await answering("not gzip", 200, { "content-encoding": "gzip" }));
    expect(broken.message).toContain("answered something unreadable");
  });

  test("that answers nonsense", async () => {
    const nonsense = [
      "",
      "<!doctype html><h1>It works!</h1>",
      "[]",
      "null",
      "7",
      '{"results": 5, "web": []}',
      '{"web": {"results": {}}}',
      "\0\u00ff",
    ];
    for (const body of nonsense) {
      const error = await failing(await answering(body));
      expect([body, error.code]).toEqual([body, "web_search.bad-answer"]);
      expect(error.message).toBe(`${name} answered with something that is no list of results.`);
    }
  });

  test("whose caller leaves", async () => {
    const controller = new AbortController();
    const hanging = await serve(() => controller.abort(new Error("left")));
    expect((await failing(hanging, 5_000, controller.signal)).message).toBe("left");
  });

  test("never reveals a key, a query or part of the answer", async () => {
    for (const status of [200, 302, 401, 402, 403, 404, 422, 429, 500]) {
      const error = await failing(await answering(`{"error": "${KEY} marker"}`, status));
      expect(`${error.message} ${logged.join()}`).not.toMatch(/brave-key|marker|ships at night|\/search|\?q=/);
    }
  });
});

describe("what single providers do", () => {
  test("SearXNG without the JSON format, at a wrong address, or with engines that do not answer, is reported", async () => {
    const messageOf = async (address: string) =>
      search(searxng(address, line())).catch((error: Error) => error.message);
    expect(await messageOf(await answering("", 403))).toContain("json under search.formats");
    expect(await messageOf(await answering("", 404))).toContain("web_search.base_url");
    const silent = searxngPage(0, { unresponsive_engines: [["engine", "timeout"]] });
    expect(await messageOf(await answering(silent))).toBe("SearXNG answered, but its search engines did not.");
  });

  test("an entry that is no entry is passed over", async () => {
    const results = [null, 7, "x", [], {}, { url: 5 }, { url: "https://ships.test/", title: 1, content: ["x"] }];
    const provider = searxng(await answering(JSON.stringify({ results })), line());
    expect(await search(provider)).toMatchObject({
      results: [{ title: "https://ships.test/", url: "https://ships.test/", snippet: "" }],
    });
  });

  test("Brave Search: markup in its texts is read, and an answer without pages is an empty one", async () => {
    const results = [
      { title: "A &amp; B", url: "https://ships.test/", description: "The <strong>ship&#x27;s</strong> log" },
    ];
    const answer = JSON.stringify({ type: "search", web: { results } });
    expect(await search(brave(KEY, { ...line(), address: await answering(answer) }))).toMatchObject({
      results: [{ title: "A & B", snippet: "The ship's log" }],
    });
    const none = await answering('{"type": "search", "query": {}}');
    expect(await search(brave(KEY, { ...line(), address: none }))).toMatchObject({ results: [] });
  });

  test("DuckDuckGo: a captcha is reported as such, whatever its status", async () => {
    const challenge = '<html><body><div class="anomaly-modal__title">Select all ducks</div></body></html>';
    for (const [body, status] of [
      [challenge, 200],
      [challenge, 202],
      ["", 202],
    ] as const) {
      const address = await answering(body, status);
      await expect(search(duckDuckGo({ ...line(), reader, address }))).rejects.toMatchObject({
        code: "web_search.refused",
        message: expect.stringContaining("takes this service for a robot"),
      });
    }
  });

  test("DuckDuckGo: a page nested beyond any stack ends its own thread only", async () => {
    const nested = `<div class="result">`.repeat(45_000);
    const address = await answering(`<html><body>${nested}<a class="result__a" href="https://deep.test/">deep</a>`);
    const ended = await search(duckDuckGo({ ...line(), reader, address })).catch((error: { code: string }) => error);
    expect(ended).toSatisfy(
      (end: { code?: string; results?: object[] }) => end.code === "web_search.bad-answer" || end.results !== undefined,
    );
    expect(await search(duckDuckGo({ ...line(), reader, address: await answering(duckPage(1)) }))).toMatchObject({
      results: found(1),
    });
  });
});

describe("who is asked", () => {
  const settings = (value: object) => v.parse(webSearchSection.schema, value);
  const chosen = (value: object) => chooseSearch(settings(value), { ...line(), reader });

  test.each([
    [{}, "DuckDuckGo", []],
    [{ base_url: "http://searx.intranet:8080/x" }, "SearXNG", ["searx.intranet"]],
    [{ api_key: KEY }, "Brave Search", []],
    [{ base_url: "http://[fd00::1]/", api_key: KEY }, "SearXNG", ["[fd00::1]"]],
    [{ provider: "brave", base_url: "http://searx.intranet", api_key: KEY }, "Brave Search", []],
    [{ provider: "duckduckgo", base_url: "http://searx.intranet", api_key: KEY }, "DuckDuckGo", []],
    [{ provider: "searxng" }, "SearXNG", []],
  ])("%j means %s, and names %j", (value, name, hosts) => {
    expect(chosen(value).name).toBe(name);
    expect(searchHosts(settings(value))).toEqual(hosts);
    // The names must be ones the guard's list takes.
    expect(() => createEgress({ allowedHosts: searchHosts(settings(value)) })).not.toThrow();
  });

  test("a provider without its setting names it, and no other provider is asked instead", async () => {
    await expect(search(chosen({ provider: "searxng", api_key: KEY }))).rejects.toMatchObject({
      code: "web_search.not-configured",
      message: "SearXNG cannot search: a person has to set web_search.base_url.",
    });
    await expect(search(chosen({ provider: "brave" }))).rejects.toThrow("a person has to set web_search.api_key");
  });

  test("a private instance that no list names is refused like any other private address (W3)", async () => {
    const guard = createEgress({ resolve: async () => ["127.0.0.1"] });
    const provider = searxng(await answering(searxngPage(1)), { egress: () => guard });
    await expect(search(provider)).rejects.toThrow("SearXNG cannot be reached (refused-address)");
  });
});

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { afterEach, describe, expect, test } from "vitest";
import { createEgress, EgressError } from "../egress/index.ts";
import { pdfOf } from "../testing/pdf-of.ts";
import { FETCH_URL_LIMITS, fetchUrl, WebToolError } from "./index.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://site.test:${(server.address() as AddressInfo).port}`;
}

const page = (type: string, body: string | Uint8Array): Promise<string> =>
  serve((_request, response) => response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body));

const egress = createEgress({ allowedHosts: ["site.test"], resolve: async () => ["127.0.0.1"] });
const context = (signal = new AbortController().signal) => fakeContext({ signal });

async function fetched(url: string, more: { max_chars?: number; signal?: AbortSignal; readMs?: number } = {}) {
  const { signal, readMs, ...input } = more;
  const tool = fetchUrl({ egress: () => egress, ...(readMs === undefined ? {} : { readMs }) });
  return (await tool.run(v.parse(tool.input, { url, ...input }), context(signal))) as string;
}

const sentence = "The lighthouse keeper counted the ships that passed each night and wrote them down. ";
const article = `<!doctype html><html><head><title>Ships &amp; Nights</title><style>p{color:red}</style></head><body>
<nav><a href="/menu">Menu</a></nav>
<article><h1>Ships &amp; Nights</h1><p>${sentence.repeat(8)}</p><h2>Counting</h2>
<p>${sentence.repeat(4)}<a href="../log?y=1">the log</a> <a href="javascript:alert(1)">trick</a></p>
<pre><code>const ships = 3;</code></pre><ul><li>one</li><li>two</li></ul><script>alert("never")</script></article>
<footer>imprint</footer></body></html>`;

describe("fetch_url", () => {
  test("gives an article as markdown with absolute links, without scripts, styles and navigation", async () => {
    const url = await page("text/html; charset=utf-8", article);
    const text = await fetched(`${url}/a/b/`);
    expect(text.startsWith(`[${url}/a/b/, status 200]\n\n# Ships & Nights\n`)).toBe(true);
    expect(text).toContain("## Counting");
    expect(text).toContain(`[the log](${url}/a/log?y=1)`);
    expect(text).toContain("const ships = 3;");
    expect(text).toMatch(/^-\s+two$/m);
    for (const absent of ["alert", "color:red", "javascript:"]) expect(text).not.toContain(absent);
  });

  test("gives a page without an article whole, and a fragment too", async () => {
    const text = await fetched(await page("text/html", "<title>T</title><p>short</p><a href='/x'>link</a>"));
    expect(text).toContain("short");
    expect(text).toMatch(/\[link\]\(http:\/\/site\.test:\d+\/x\)/);
    expect(await fetched(await page("text/html", ""))).toContain("(no text)");
  });

  test.each([
    ["text/plain", "just <b>text</b>"],
    ["application/json", '{"a":[1,2]}'],
    ["application/ld+json; charset=utf-8", '{"@id":"x"}'],
    ["", "undeclared"],
  ])("gives %s as it is", async (type, body) => {
    expect((await fetched(await page(type, body))).endsWith(`status 200]\n\n${body}`)).toBe(true);
  });

  test("reads the charset from the header, a mark or the page itself", async () => {
    const latin = Buffer.from("Größe", "latin1");
    expect(await fetched(await page("text/plain; charset=iso-8859-1", latin))).toContain("Größe");
    expect(await fetched(await page("text/html", Buffer.from("<meta charset=latin1><p>Größe", "latin1")))).toContain(
      "Größe",
    );
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Größe", "utf16le")]);
    expect(await fetched(await page("text/plain; charset=nonsense", marked))).toContain("Größe");
  });

  test("gives the text of a PDF, declared or not; a damaged one is a clear error", async () => {
    expect(await fetched(await page("application/pdf", pdfOf("Hello harbour")))).toContain("Hello harbour");
    expect(await fetched(await page("", pdfOf("Hello again")))).toContain("Hello again");
    await expect(fetched(await page("application/pdf", "%PDF-1.4 broken"))).rejects.toMatchObject({
      code: "page.unreadable",
    });
  });

  test("refuses what is no text", async () => {
    const image = await page("image/png", Buffer.from([0x89, 0x50]));
    await expect(fetched(image)).rejects.toMatchObject({ code: "fetch_url.unsupported-type" });
    const binary = await page("application/octet-stream", Buffer.alloc(10));
    await expect(fetched(binary)).rejects.toThrow(WebToolError);
  });

  test("cuts at max_chars, 8,000 by default, never inside a character", async () => {
    const url = await page("text/plain", "ab😀".repeat(5_000));
    expect(await fetched(url)).toContain("[cut: 8000 of 20000 characters]");
    expect(await fetched(url, { max_chars: 3 })).toContain("\n\nab\n\n[cut: 2 of 20000 characters]");
    for (const max of [0, 1.5, FETCH_URL_LIMITS.maxChars + 1])
      await expect(fetched(url, { max_chars: max })).rejects.toThrow();
  });

  test("reads two megabytes and no more; a PDF beyond them is refused", async () => {
    const text = await fetched(await page("text/plain", "x".repeat(3_000_000)));
    expect(text).toContain("only its first 2000000 bytes");
    expect(text).toContain("of 2000000 characters");
    const large = Buffer.concat([pdfOf("large"), Buffer.alloc(2_000_000)]);
    await expect(fetched(await page("application/pdf", large))).rejects.toMatchObject({ code: "fetch_url.too-large" });
  });

  test("returns the status of an error page and follows redirects to where they end", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/old") response.writeHead(301, { location: "/new" }).end();
      else response.writeHead(404, { "content-type": "text/plain" }).end("gone");
    });
    expect(await fetched(`${url}/old`)).toBe(`[${url}/new, status 404]\n\ngone`);
  });

  test("keeps to the guard: a private address, also behind a redirect, is refused (W3)", async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
    for (const refused of ["http://127.0.0.1/", "http://other.test/", url]) {
      await expect(fetched(refused)).rejects.toThrow(EgressError);
    }
  });

  test("ends a page that takes too long, and one whose caller leaves", async () => {
    const url = await page("text/html", article);
    await expect(fetched(url, { readMs: 1 })).rejects.toMatchObject({ code: "page.slow" });
    const controller = new AbortController();
    const hanging = await serve(() => controller.abort(new Error("left")));
    await expect(fetched(hanging, { signal: controller.signal })).rejects.toThrow("left");
  });

  test("survives a page that is nested beyond any stack, and reads others meanwhile", async () => {
    const nested = await page("text/html", `<html><body>${"<div>".repeat(100_000)}deep`);
    const plain = await page("text/html", article);
    const reads = [nested, plain, plain, plain].map((url) =>
      fetched(url, { readMs: url === nested ? 4_000 : 600_000 }).then(
        (text) => text.length > 0,
        () => false,
      ),
    );
    expect((await Promise.all(reads)).slice(1)).toEqual([true, true, true]);
  });
});

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createEgress, EgressConfigError, EgressError, type EgressErrorCode, type EgressOptions } from "./index.ts";

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) (server as Server).closeAllConnections();
    await new Promise((resolve) => (server as Server).close(resolve));
  }
});

async function portOf(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => portOf(createServer(listener));

/** Every name resolves to loopback, which is allowed unless the options override it. */
function local(options: EgressOptions = {}) {
  return createEgress({ resolve: async () => ["127.0.0.1"], allowedCidrs: ["127.0.0.0/8"], ...options });
}

async function failure(promise: Promise<unknown>): Promise<EgressError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EgressError);
  expect((error as EgressError).cause).toBeUndefined();
  return error as EgressError;
}

async function code(promise: Promise<unknown>): Promise<EgressErrorCode> {
  return (await failure(promise)).code;
}

describe("a URL is checked before anything is opened (W3)", () => {
  const egress = createEgress({ resolve: async (host) => (host === "public.test" ? ["8.8.8.8"] : ["10.0.0.1"]) });

  test.each<[string, EgressErrorCode]>([
    ["nonsense", "egress.invalid-url"],
    ["/path", "egress.invalid-url"],
    ["http://", "egress.invalid-url"],
    ["http://public.test:0/", "egress.invalid-url"],
    ["ftp://public.test/", "egress.refused-scheme"],
    ["file:///etc/passwd", "egress.refused-scheme"],
    ["http://user@public.test/", "egress.refused-credentials"],
    ["http://:pass@public.test/", "egress.refused-credentials"],
    ["http://LOCALHOST./", "egress.refused-host"],
    ["http://app.localhost/", "egress.refused-host"],
    ["http://metadata.google.internal/", "egress.refused-host"],
    ["http://2130706433/", "egress.refused-address"],
    ["http://[::1]/", "egress.refused-address"],
    ["http://private.test/", "egress.refused-address"],
  ])("%s: %s", async (url, expected) => {
    expect(await code(egress.check(url))).toBe(expected);
    expect(await code(egress.request(url))).toBe(expected);
  });

  test("a refused scheme is named", async () => {
    expect((await failure(egress.check("gopher://public.test/"))).message).toContain("gopher:");
  });

  test("a URL of more than 8,192 characters is not even read", async () => {
    const long = `http://public.test/${"a".repeat(8_200)}`;
    expect(await code(egress.check(long))).toBe("egress.invalid-url");
    expect(await code(egress.check(new URL(long)))).toBe("egress.invalid-url");
    expect((await egress.check(new URL(long.slice(0, 8_192)))).href).toHaveLength(8_192);
  });

  test.each([
    ...["metadata", "metadata.google.internal", "metadata.goog", "metadata.internal", "metadata.azure.com"],
    ...["metadata.azure.internal", "metadata.packet.net", "metadata.platformequinix.com", "metadata.tencentyun.com"],
    ...["metadata.oraclecloud.com", "metadata.digitalocean.com", "instance-data", "instance-data.ec2.internal"],
    ...["rancher-metadata", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"],
  ])("%s is refused by its name, even where it resolves to a public address", async (host) => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return ["8.8.8.8"];
    };
    expect(await failure(createEgress({ resolve }).check(`http://${host}/`))).toMatchObject({
      ...{ code: "egress.refused-host", retryable: false },
      message: `the host ${host} is refused: it is not public`,
    });
    expect(asked).toEqual([]);
  });

  test("a message has at most 120 characters of the host", async () => {
    const label = "a".repeat(60);
    const error = await failure(egress.check(`http://${label}.${label}.test/`));
    expect(error.message).toBe(
      `the host ${`${label}.${label}`.slice(0, 120)}… is refused: it has an address that is not public`,
    );
    const whole = await failure(egress.check(`http://${label}.${"b".repeat(59)}/`));
    expect(whole.message).toContain(`${label}.${"b".repeat(59)} is refused`);
  });

  test("one address that is not public refuses the name, and the message holds none of them", async () => {
    const mixed = createEgress({ resolve: async () => ["8.8.8.8", "100.64.0.1"] });
    const error = await failure(mixed.check("http://mixed.test/"));
    expect(error).toMatchObject({ code: "egress.refused-address", retryable: false });
    expect(error.message).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
  });

  test("a name that does not resolve, or has no addresses, may resolve later", async () => {
    const failing = createEgress({ resolve: () => Promise.reject(new Error("ENOTFOUND 10.0.0.53")) });
    const error = await failure(failing.check("http://gone.test/"));
    expect(error).toMatchObject({ code: "egress.unresolved", retryable: true });
    expect(error.message).not.toContain("10.0.0.53");
    expect(await code(createEgress({ resolve: async () => [] }).check("http://gone.test/"))).toBe("egress.unresolved");
  });

  test("a resolver that never answers meets the time limit, and a caller that aborts gets its own reason", async () => {
    const hanging = createEgress({ resolve: () => new Promise(() => {}) });
    expect(await code(hanging.check("http://slow.test/", { timeoutMs: 20 }))).toBe("egress.timeout");
    const reason = new Error("left");
    await expect(hanging.check("http://slow.test/", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const checked = hanging.check("http://slow.test/", { signal: controller.signal });
    controller.abort(reason);
    await expect(checked).rejects.toBe(reason);
  });

  test("it resolves to the URL in its normal form", async () => {
    expect((await egress.check("HTTP://Public.Test:80/a b")).href).toBe("http://public.test/a%20b");
  });
});

describe("what the operator names (B21; B68 egress.allowed_hosts)", () => {
  test("a named host is not resolved to be checked, and may be private", async () => {
    let asked = 0;
    const resolve = async (): Promise<readonly string[]> => {
      asked++;
      return ["127.0.0.1"];
    };
    const egress = createEgress({ allowedHosts: ["hooks.internal"], resolve });
    await egress.check("http://HOOKS.internal./x");
    expect(asked).toBe(0);
    const port = await serve((_request, response) => response.end("in"));
    const answer = await egress.request(`http://hooks.internal:${port}/`);
    expect([Buffer.from(answer.body).toString(), asked]).toEqual(["in", 1]);
    expect(await code(egress.request(`http://other.internal:${port}/`))).toBe("egress.refused-address");
  });

  test("a named host still needs http and no credentials", async () => {
    const egress = createEgress({ allowedHosts: ["a.test"] });
    expect(await code(egress.check("ftp://a.test/"))).toBe("egress.refused-scheme");
    expect(await code(egress.check("http://u:p@a.test/"))).toBe("egress.refused-credentials");
  });

  test("an allowed block opens the addresses in it, and a list that cannot be read is refused", async () => {
    const egress = createEgress({ allowedCidrs: ["10.0.0.0/8"], resolve: async () => ["10.9.9.9", "8.8.8.8"] });
    await egress.check("http://a.test/");
    await egress.check("http://10.1.1.1/");
    expect(await code(egress.check("http://192.168.0.1/"))).toBe("egress.refused-address");
    expect(() => createEgress({ allowedHosts: ["http://a"] })).toThrow(EgressConfigError);
  });
});

describe("a request", () => {
  test("goes to the checked address with the name as Host, our agent, a length, and its own headers", async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => {
        const { host, "user-agent": agent, "content-length": length, authorization, connection } = request.headers;
        seen.push(request.method, request.url, host, agent, length, authorization, connection, body);
        response.writeHead(202, { "x-a": ["1", "2"] }).end("ok");
      });
    });
    const answer = await local({ userAgent: "tester/1" }).request(`http://name.test:${port}/p?q=1#f`, {
      method: "POST",
      headers: { Authorization: "Bearer t" },
      body: "hé",
    });
    expect(answer).toMatchObject({ url: `http://name.test:${port}/p?q=1`, status: 202, cut: false });
    expect([answer.headers["x-a"], Buffer.from(answer.body).toString()]).toEqual(["1, 2", "ok"]);
    const host = `name.test:${port}`;
    expect(seen).toEqual(["POST", "/p?q=1", host, "tester/1", "3", "Bearer t", "close", "hé"]);
  });

  test("resolves a name once, so that a second answer of the resolver changes nothing", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const egress = local({ resolve: async () => answers.shift() ?? [] });
    const port = await serve((_request, response) => response.end());
    expect((await egress.request(`http://rebind.test:${port}/`)).status).toBe(200);
    expect(await code(egress.request(`http://rebind.test:${port}/`))).toBe("egress.refused-address");
  });

  test("tries the next checked address when one does not answer", async () => {
    const port = await serve((_request, response) => response.end("second"));
    const egress = local({ resolve: async () => ["127.0.0.9", "127.0.0.1"] });
    expect(Buffer.from((await egress.request(`http://two.test:${port}/`)).body).toString()).toBe("second");
  });

  test("tries four addresses and no more, and a resolver's answer that is no address is never connected to", async () => {
    const port = await serve((_request, response) => response.end("fifth"));
    const silent = ["127.0.0.6", "127.0.0.7", "127.0.0.8", "127.0.0.9"];
    const reach = (addresses: readonly string[]) =>
      local({ resolve: async () => addresses }).request(`http://a.test:${port}/`);
    expect(await failure(reach([...silent, "127.0.0.1"]))).toMatchObject({ code: "egress.network", retryable: true });
    expect((await reach([...silent.slice(1), "127.0.0.1"])).status).toBe(200);
    const named = createEgress({ allowedHosts: ["a.test"], resolve: async () => ["localhost"] });
    expect((await failure(named.request(`http://a.test:${port}/`))).message).toBe("the request to a.test failed");
  });

  test("uses the system's resolver by default, and never sends a refused name to it", async () => {
    const port = await serve((_request, response) => response.end("here"));
    const answer = await createEgress({ allowedHosts: ["localhost"] }).request(`http://localhost:${port}/`);
    expect([answer.status, await code(createEgress().request(`http://localhost:${port}/`))]).toEqual([
      200,
      "egress.refused-host",
    ]);
  });

  test("keeps the name in SNI and asks the certificate for it", async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback(name, done) {
        names.push(name);
        done(new Error("no certificate"));
      },
    });
    server.on("tlsClientError", () => {});
    const port = await portOf(server);
    const error = await failure(local().request(`https://name.test:${port}/`));
    expect([names, error.code]).toEqual([["name.test"], "egress.network"]);
    expect(error.message).not.toContain("127.0.0.1");
  });

  test("does not reveal the address when the connection is refused", async () => {
    const port = await serve(() => {});
    const server = open.pop() as Server;
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(local().request(`http://name.test:${port}/`));
    expect(error).toMatchObject({ message: "the request to name.test failed (ECONNREFUSED)", retryable: true });
  });

  test.each<{ readonly [name: string]: string }>([
    { host: "other" },
    { "Content-Length": "1" },
    { "x y": "1" },
    { "x-a": "1\r\nx-b: 2" },
    { "x-a": "1\0" },
  ])("refuses the header %j", async (headers) => {
    const promise = local().request("http://name.test/", { headers });
    expect(await code(promise)).toBe("egress.invalid-request");
  });

  test("names the header it refuses as it was written, up to 100 characters of it", async () => {
    const refusal = async (name: string) =>
      (await failure(local().request("http://a.test/", { headers: { [name]: "1" } }))).message;
    expect(await refusal("Content-Length")).toBe('the header "Content-Length" cannot be sent');
    expect(await refusal(`${"x".repeat(99)} y`)).toBe(`the header "${"x".repeat(99)} " cannot be sent`);
  });

  test("meets its time limit at the head and in the body, and its signal too", async () => {
    const leave: (() => void)[] = [];
    const port = await serve((request, response) => {
      if (request.url === "/body") response.write("begun");
      leave.shift()?.();
    });
    for (const path of ["head", "body"]) {
      const url = `http://a.test:${port}/${path}`;
      expect(await code(local().request(url, { timeoutMs: 60 }))).toBe("egress.timeout");
      const reason = new Error("left");
      const controller = new AbortController();
      leave.push(() => controller.abort(reason));
      await expect(local().request(url, { signal: controller.signal })).rejects.toBe(reason);
      await expect(local().request(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }
  });

  test("that is answered with something else than HTTP, or with half an answer, fails with a code", async () => {
    const port = await portOf(
      createTcpServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", (data) => {
          if (String(data).includes("/half")) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf");
          else socket.end("SSH-2.0-OpenSSH\r\n");
        });
      }),
    );
    for (const path of ["ssh", "half"]) {
      expect(await code(local().request(`http://a.test:${port}/${path}`))).toBe("egress.network");
    }
  });
});

describe("a body", () => {
  test("is cut or refused at its bound, and an endless one costs no more than it", async () => {
    let ended: Promise<unknown> | undefined;
    const port = await serve((_request, response) => {
      ended = once(response, "close");
      const chunk = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    const url = `http://a.test:${port}/`;
    const cut = await local().request(url, { maxBodyBytes: 100_000, overflow: "cut" });
    expect([cut.body.length, cut.cut]).toEqual([100_000, true]);
    await ended;
    expect(await code(local().request(url))).toBe("egress.body-too-large");
    await ended;
  });

  test("has 65,536 bytes unless more is asked for, and may have exactly as many as its bound", async () => {
    const port = await serve(
      (request, response) => void response.write(Buffer.alloc(Number(request.url?.slice(1))), () => response.end()),
    );
    const of = (bytes: number) => `http://a.test:${port}/${bytes}`;
    expect((await local().request(of(65_536))).body.length).toBe(65_536);
    expect(await failure(local().request(of(65_537)))).toMatchObject({
      ...{ code: "egress.body-too-large", message: "the answer is larger than 65536 bytes", retryable: false },
    });
    const whole = await local().request(of(10), { maxBodyBytes: 10, overflow: "cut" });
    expect([whole.body.length, whole.cut]).toEqual([10, false]);
  });

  test("that is not there need not be decompressed", async () => {
    const port = await serve((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status, { "content-encoding": "zstd", ...(status === 200 && { "content-length": 0 }) }).end();
    });
    for (const status of [200, 204, 304]) {
      const answer = await local().request(`http://a.test:${port}/${status}`);
      expect([answer.status, answer.body.length]).toEqual([status, 0]);
    }
  });

  test("that declares a larger length is not read at all", async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "5000000" }).write("x");
    });
    expect(await code(local().request(`http://a.test:${port}/`))).toBe("egress.body-too-large");
  });

  test.each([
    ["gzip", gzipSync("plain")],
    ["X-GZIP", gzipSync("plain")],
    ["deflate", deflateSync("plain")],
    ["br", brotliCompressSync("plain")],
    ["identity", Buffer.from("plain")],
    ["", Buffer.from("plain")],
  ])("in %s is decompressed", async (encoding, bytes) => {
    const port = await serve((_request, response) => response.setHeader("content-encoding", encoding).end(bytes));
    const { body } = await local().request(`http://a.test:${port}/`);
    expect(Buffer.from(body).toString()).toBe("plain");
  });

  test("of a decompression bomb is bounded by its decompressed size; one that cannot be decompressed fails as such", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const port = await serve((request, response) => {
      const encoding = { "/zstd": "zstd", "/br": "br" }[request.url ?? ""] ?? "gzip";
      response.setHeader("content-encoding", encoding).end(request.url === "/bomb" ? bomb : "not compressed");
    });
    expect(await code(local().request(`http://a.test:${port}/bomb`))).toBe("egress.body-too-large");
    const bad = async (path: string) => {
      const { code, message, retryable } = await failure(local().request(`http://a.test:${port}/${path}`));
      return [code, message, retryable];
    };
    expect(await bad("zstd")).toEqual(["egress.bad-answer", "the answer has an unknown content encoding", false]);
    for (const path of ["broken", "br"]) {
      expect(await bad(path)).toEqual(["egress.bad-answer", "the answer cannot be decompressed", false]);
    }
    const head = await local().request(`http://a.test:${port}/bomb`, { method: "HEAD" });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });
});

describe("an answer whose head is all that counts", () => {
  test("is there with its head; a small body is read to its end, an endless one is cut", async () => {
    const whole = Promise.withResolvers<boolean>();
    const endless = Promise.withResolvers<void>();
    const port = await serve((request, response) => {
      response.writeHead(202);
      if (request.url === "/small") {
        response.write("begun");
        setImmediate(() => response.end("done"));
        response.once("close", () => whole.resolve(response.writableFinished));
      } else {
        const chunk = Buffer.alloc(65_536);
        const pour = (): void => void response.write(chunk, (error) => (error ? endless.resolve() : pour()));
        pour();
      }
    });
    for (const path of ["small", "endless"]) {
      const answer = await local().request(`http://a.test:${port}/${path}`, { method: "POST", headOnly: true });
      expect([answer.status, answer.body.length]).toEqual([202, 0]);
    }
    expect(await whole.promise).toBe(true);
    await endless.promise;
  });

  test("does not wait for a body that does not come", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-length": 9 }).flushHeaders();
      response.once("close", closed.resolve);
    });
    const { status } = await local().request(`http://a.test:${port}/`, { headOnly: true, timeoutMs: 60_000 });
    expect(status).toBe(200);
    await closed.promise;
  });
});

describe("redirects (W3)", () => {
  const redirecting = (to: (request: { url: string; host: string }) => string | undefined): Promise<number> =>
    serve((request, response) => {
      const location = to({ url: request.url ?? "", host: request.headers.host ?? "" });
      if (location === undefined) response.end(JSON.stringify(request.headers));
      else response.writeHead(302, { location }).end();
    });

  test("are answers unless asked for", async () => {
    const port = await redirecting(() => "http://10.0.0.1/");
    const answer = await local().request(`http://a.test:${port}/`, { method: "POST", body: "x" });
    expect([answer.status, answer.headers.location]).toEqual([302, "http://10.0.0.1/"]);
  });

  test("are followed five times and no more", async () => {
    const port = await redirecting(({ url }) => (url === "/0" ? undefined : `/${Number(url.slice(1)) - 1}`));
    const answer = await local().request(`http://a.test:${port}/5`, { maxRedirects: 5 });
    expect([answer.status, answer.url]).toEqual([200, `http://a.test:${port}/0`]);
    expect(await code(local().request(`http://a.test:${port}/6`, { maxRedirects: 5 }))).toBe(
      "egress.too-many-redirects",
    );
    expect(await code(local().request(`http://a.test:${port}/2`, { maxRedirects: 1 }))).toBe(
      "egress.too-many-redirects",
    );
    expect(await code(local().request("http://a.test/", { maxRedirects: 6 }))).toBe("egress.invalid-request");
    expect(await code(local().request("http://a.test/", { maxRedirects: 1, method: "POST" }))).toBe(
      "egress.invalid-request",
    );
  });

  test.each<[string, EgressErrorCode]>([
    ["http://10.0.0.1/", "egress.refused-address"],
    ["//[::1]/", "egress.refused-address"],
    ["http://metadata/", "egress.refused-host"],
    ["file:///etc/passwd", "egress.refused-scheme"],
    ["http://u:p@b.test/", "egress.refused-credentials"],
    ["http://", "egress.invalid-url"],
  ])("to %s are refused: %s", async (location, expected) => {
    const port = await redirecting(() => location);
    expect(await code(local().request(`http://a.test:${port}/`, { maxRedirects: 5 }))).toBe(expected);
  });

  test("take no credential to another origin, and keep them within one", async () => {
    const secret = { Authorization: "Bearer t", Cookie: "c", "X-A2A-Notification-Token": "n", "X-API-Key": "k" };
    const port = await redirecting(({ host, url }) =>
      host.startsWith("a.") ? (url === "/" ? "/again" : `http://b.test:${port}/`) : undefined,
    );
    const answer = await local().request(`http://a.test:${port}/`, {
      maxRedirects: 5,
      headers: { ...secret, "X-Kept": "k" },
    });
    const received = JSON.parse(Buffer.from(answer.body).toString()) as Record<string, string>;
    expect(received).toMatchObject({ "x-kept": "k", host: `b.test:${port}` });
    for (const name of Object.keys(secret)) expect(received).not.toHaveProperty(name.toLowerCase());
    const stayed = await local().request(`http://b.test:${port}/`, { maxRedirects: 5, headers: secret });
    expect(JSON.parse(Buffer.from(stayed.body).toString())).toMatchObject({ cookie: "c", "x-api-key": "k" });
  });

  test.each([300, 304, 305, 306])("are not what an answer %d is", async (status) => {
    const port = await serve((_request, response) => response.writeHead(status, { location: "/next" }).end());
    const answer = await local().request(`http://a.test:${port}/`, { maxRedirects: 5 });
    expect([answer.status, answer.url]).toEqual([status, `http://a.test:${port}/`]);
  });

  test.each([301, 302, 303, 307, 308])(
    "of status %d are followed, and without a location are answers",
    async (status) => {
      const port = await serve((request, response) => {
        if (request.url === "/end") response.end("end");
        else response.writeHead(status, request.url === "/" ? { location: "/end" } : {}).end();
      });
      const answer = await local().request(`http://a.test:${port}/`, { maxRedirects: 1 });
      expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, "end"]);
      expect((await local().request(`http://a.test:${port}/nowhere`, { maxRedirects: 1 })).status).toBe(status);
    },
  );
});

describe("a stream", () => {
  test("resolves at the head, is read while it comes, and ends with its signal", async () => {
    let send: ((text: string) => void) | undefined;
    const port = await serve((_request, response) => {
      response.writeHead(200, { "x-kind": "events" }).write("one");
      send = (text) => void response.write(text);
    });
    const stop = new AbortController();
    const seen: string[] = [];
    const { status, headers, body } = await local().stream(`http://a.test:${port}/`, {
      signal: stop.signal,
      onConnected: () => void seen.push("connected"),
    });
    expect([status, headers["x-kind"]]).toEqual([200, "events"]);
    body.on("error", () => {}).on("data", (chunk: Buffer) => void seen.push(chunk.toString()));
    await once(body, "data");
    send?.("two");
    await once(body, "data");
    expect(seen).toEqual(["connected", "one", "two"]);
    const closed = new Promise((resolve) => body.once("close", resolve));
    stop.abort(new Error("enough"));
    await closed;
  });

  test("to an address that is not public is refused before a connection is opened", async () => {
    let isConnected = false;
    const onConnected = (): void => {
      isConnected = true;
    };
    const guard = createEgress({ resolve: async () => ["10.0.0.1"] });
    expect(await code(guard.stream("http://a.test/", { onConnected }))).toBe("egress.refused-address");
    expect(await code(local().stream("http://a.test:1/", { onConnected }))).toBe("egress.network");
    expect(isConnected).toBe(false);
  });
});

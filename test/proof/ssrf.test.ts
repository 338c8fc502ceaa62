import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { runSsrf } from "./run-ssrf.ts";
import { runSsrfOauth } from "./run-ssrf-oauth.ts";
import { goodCases, hostileCases } from "./ssrf-cases.ts";
import { oauthCases } from "./ssrf-oauth-cases.ts";

const random = createRandom("suite");

test("no socket opens to a refused address, whatever way a URL is written, resolved or redirected (W3)", async () => {
  const cases = hostileCases(random.fork("hostile"));
  const kinds = new Set(cases.map(({ kind }) => kind));
  const tried = cases.filter(({ kind }, index) => index % 3 === 0 || kind !== "spelling");
  const report = await runSsrf(tried);
  expect(report).toMatchObject({ violations: [], refused: tried.length });
  expect(tried.length).toBeGreaterThanOrEqual(400);
  expect(kinds.size).toBeGreaterThanOrEqual(8);
});

test("what is public or was named by the operator is reached", async () => {
  const cases = goodCases(random.fork("good"));
  const report = await runSsrf(cases);
  expect(report).toMatchObject({ violations: [], arrived: cases.length });
  expect(cases.length).toBeGreaterThanOrEqual(150);
});

test("no document of a server or its authorization server leads a sign-in to another address (M13)", async () => {
  const cases = oauthCases();
  const report = await runSsrfOauth(cases);
  expect(report).toMatchObject({ violations: [], stayed: 2, refused: cases.length - 2 });
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(report.sockets).toBeGreaterThan(cases.length);
});

test("the watch notices what it must: a connection to loopback, to a name and to a private address", async () => {
  const { watchSockets } = await import("./socket-watch.ts");
  const watch = await watchSockets((_request, response) => response.end("outside"));
  try {
    const { connect } = await import("node:net");
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1"]) {
      await new Promise<void>((resolve) => {
        const socket = connect({ host, port: 9 }, () => socket.end());
        socket.on("close", () => resolve()).resume();
      });
    }
    expect(watch.attempts()).toEqual(["127.0.0.1", "localhost", "10.0.0.1"]);
    expect(watch.intrusions()).toBe(2);
  } finally {
    await watch.close();
  }
});

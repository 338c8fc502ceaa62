import { describe, expect, it } from "vitest";
import { mountRoute } from "../route/index.ts";
import { type TelemetryService, telemetryRoutes } from "./routes.ts";

const HEAD = "task_id,state\r\n";
const NOW = Date.parse("2026-01-02T10:20:00Z");

function ask(service: Partial<TelemetryService>) {
  const telemetry: TelemetryService = { reports: () => undefined, csvHead: HEAD, now: () => NOW, ...service };
  const misfits: string[] = [];
  const ports = {
    readJson: () => ({ ok: false, message: "no body is read" }) as const,
    redact: (text: string) => text,
    onMisfit: (misfit: string) => void misfits.push(misfit),
  };
  const rows = telemetryRoutes(telemetry).map((one) => mountRoute(one, ports));
  return async (path: string) => {
    const url = new URL(path, "http://localhost");
    const row = rows.find((one) => one.path === url.pathname)!;
    const response = await row.handle({ request: new Request(url), caller: "operator", param: () => undefined });
    const text = await response.text();
    expect(misfits).toEqual([]);
    return { status: response.status, headers: response.headers, text };
  };
}

describe("while telemetry is off (B46)", () => {
  const get = ask({});

  it.each([
    ["summary", { enabled: false }],
    ["insights", { enabled: false }],
    ["recent", { enabled: false, turns: [], next_cursor: null }],
    ["series", { enabled: false, bucket: "hour", series: [] }],
  ])("%s reports it", async (name, body) => {
    const { status, text } = await get(`/api/telemetry/${name}`);
    expect([status, JSON.parse(text)]).toEqual([200, body]);
  });

  it("the export is its head alone", async () => {
    const { headers, text } = await get("/api/telemetry/export");
    expect(text).toBe(HEAD);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toContain("attachment");
  });
});

describe("times and buckets", () => {
  const ranges: unknown[] = [];
  const sinces: number[] = [];
  const never = (): Promise<never> => Promise.reject(new Error("not asked"));
  const get = ask({
    reports: () => ({
      summary: never,
      recent: never,
      insights: never,
      async *csv(since) {
        sinces.push(since);
        yield HEAD;
        yield "t,completed\r\n";
      },
      series: async (range) => {
        ranges.push(range);
        return [];
      },
    }),
  });

  it("a time is ISO-8601 or seconds since 1970", async () => {
    for (const since of ["2026-01-02T00:00:00Z", "1767312000", "1767312000.5"]) {
      expect((await get(`/api/telemetry/export?since=${since}`)).text).toBe(`${HEAD}t,completed\r\n`);
    }
    expect(sinces).toEqual([1_767_312_000_000, 1_767_312_000_000, 1_767_312_000_500]);
    expect((await get("/api/telemetry/export?since=yesterday")).status).toBe(422);
  });

  it("buckets begin at whole hours, and the present one is among them", async () => {
    await get("/api/telemetry/series");
    const hour = 3_600_000;
    const until = Date.parse("2026-01-02T11:00:00Z");
    expect(ranges.at(-1)).toEqual({ since: until - 24 * hour, until, bucketMs: hour });
  });

  it("a range that is upside down or has too many buckets is refused", async () => {
    expect((await get("/api/telemetry/series?since=2026-01-03&until=2026-01-01")).status).toBe(422);
    expect((await get("/api/telemetry/series?since=2020-01-01&bucket=minute")).status).toBe(422);
    expect((await get("/api/telemetry/series?bucket=fortnight")).status).toBe(422);
  });
});

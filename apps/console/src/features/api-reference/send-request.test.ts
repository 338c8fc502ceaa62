import { expect, test, vi } from "vitest";
import { readable, sendRequest, type TriedResponse } from "./send-request.ts";

const at = { root: "http://127.0.0.1:1/agents/one", token: "tok", signal: new AbortController().signal };
const get = (path: string) => ({ method: "GET", path, headers: {}, body: undefined });

async function answers(response: Response, path = "/api/things"): Promise<[TriedResponse | undefined, unknown[]]> {
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(response);
  let last: TriedResponse | undefined;
  await sendRequest(get(path), { ...at, onResponse: (shown) => (last = shown) });
  const calls = fetched.mock.calls.map(([url, init]) => [
    url instanceof URL ? url.href : url,
    new Headers(init?.headers).get("authorization"),
  ]);
  fetched.mockRestore();
  return [last, calls];
}

test("a request goes to the service of the page with the token, and its response is shown with the headers of note", async () => {
  const headers = { "content-type": "application/json", "retry-after": "3", "x-other": "1" };
  const [shown, calls] = await answers(new Response('{"a":1}', { status: 503, headers }));
  expect(calls).toEqual([["http://127.0.0.1:1/agents/one/api/things", "Bearer tok"]]);
  expect(shown).toMatchObject({
    ...{ status: 503, text: '{"a":1}', bytes: 7, done: true, cut: false },
    headers: [
      ["content-type", "application/json"],
      ["retry-after", "3"],
    ],
  });
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable("id: 1\ndata: x")).toBe("id: 1\ndata: x");
});

test("a request that would leave the API of this service is not sent", async () => {
  for (const path of ["/api/../healthz", "/api/%2e%2e/v1", "@evil.example/api/x"])
    await expect(answers(new Response(""), path)).rejects.toThrow("would leave");
  vi.restoreAllMocks();
});

test("of a response without an end the first 256 KiB are shown, and no more is read", async () => {
  const cancelled = vi.fn();
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(100_000))),
    cancel: cancelled,
  });
  const [shown] = await answers(new Response(endless));
  expect(shown).toMatchObject({ bytes: 256 * 1024, cut: true, done: true });
  expect(cancelled).toHaveBeenCalledOnce();
});

import { DatabaseError } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { instanceUid } from "./instance-uid.ts";
import { refusalOf } from "./refusal-of.ts";

it("refuses while the store takes nothing, and only then (S7)", () => {
  const codes = [
    "full",
    "overloaded",
    "unreachable",
    "unwritable",
    "lease_lost",
    "file_lost",
    "misuse",
    "closed",
  ] as const;
  const statuses = codes.map((code) => refusalOf(new DatabaseError(code, "/secret/path.db"))?.status);
  expect(statuses).toEqual([503, 503, 503, 503, 503, 503, undefined, undefined]);
  const refusal = refusalOf(new DatabaseError("full", "/secret/path.db"));
  expect([refusal?.detail, refusal?.retryAfter]).toEqual(["The store is full: nothing was accepted.", 60]);
  expect(refusalOf(new Error("full"))).toBeUndefined();
});

it("reads the store's name once it can, and is blank until then", async () => {
  const reads = [() => Promise.reject(new Error("closed")), () => Promise.resolve("uid-1")];
  let asked = 0;
  const uid = instanceUid(() => (reads[asked++] ?? (() => Promise.reject(new Error("asked again"))))());
  expect([await uid(), await uid(), await uid(), asked]).toEqual(["", "uid-1", "uid-1", 2]);
});

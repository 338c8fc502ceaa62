import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { endOnCrash } from "./end-on-crash.ts";
import { type RunningService, runUntilSignal } from "./run-until-signal.ts";

function setUp(service: Partial<RunningService> = {}, times: { drainMs?: number; closeMs?: number } = {}) {
  const steps: string[] = [];
  const signals = new EventEmitter();
  const exit = vi.fn();
  const log = { info: vi.fn(), error: vi.fn() };
  const running: RunningService = {
    stopAccepting: () => void steps.push("stop accepting"),
    drain: async (ms) => void steps.push(`drain ${ms}`),
    close: async () => void steps.push("close"),
    ...service,
  };
  return { steps, signals, exit, log, done: runUntilSignal(running, { signals, exit, log, ...times }) };
}

describe("a service that gets a signal to stop", () => {
  it.each(["SIGTERM", "SIGINT"])("stops accepting, gives turns ten seconds, closes: %s", async (signal) => {
    const { steps, signals, done, exit } = setUp();
    signals.emit(signal);
    expect(await done).toBe(0);
    expect(steps).toEqual(["stop accepting", "drain 10000", "close"]);
    expect(exit).not.toHaveBeenCalled();
    expect(signals.listenerCount(signal)).toBe(0);
  });

  it("ends at once on a second signal", async () => {
    const hanging = Promise.withResolvers<void>();
    const { signals, exit, done } = setUp({ drain: () => hanging.promise });
    signals.emit("SIGTERM");
    signals.emit("SIGINT");
    expect(exit).toHaveBeenCalledExactlyOnceWith(130);
    hanging.resolve();
    await done;
  });

  it("closes all the same when draining fails or hangs, and ends with code 1", async () => {
    for (const drain of [() => Promise.reject(new Error("no")), () => new Promise<void>(() => undefined)]) {
      const { steps, signals, done, log } = setUp({ drain }, { drainMs: 1, closeMs: 20 });
      signals.emit("SIGTERM");
      expect(await done).toBe(1);
      expect(steps).toEqual(["stop accepting", "close"]);
      expect(log.error).toHaveBeenCalledOnce();
    }
  });

  it("does not wait for a close that hangs", async () => {
    const { signals, done } = setUp({ close: () => new Promise(() => undefined) }, { closeMs: 5 });
    signals.emit("SIGTERM");
    expect(await done).toBe(1);
  });
});

describe("an uncaught error", () => {
  it.each(["uncaughtException", "unhandledRejection"])("%s is logged, flushed, and ends the process", async (event) => {
    const source = new EventEmitter();
    const order: string[] = [];
    const ended = Promise.withResolvers<number>();
    endOnCrash({
      source,
      log: { error: ({ err }) => void order.push(`log ${String(err)}`) },
      flush: async () => void order.push("flush"),
      exit: ended.resolve,
    });
    source.emit(event, new Error("boom"));
    source.emit(event, "again");
    expect(await ended.promise).toBe(1);
    expect(order).toEqual(["log Error: boom", "flush"]);
  });

  it("ends the process also when logging itself fails", async () => {
    const source = new EventEmitter();
    const ended = Promise.withResolvers<number>();
    const log = {
      error: () => {
        throw new Error("log broken");
      },
    };
    endOnCrash({ source, log, flush: () => Promise.reject(new Error("flush broken")), exit: ended.resolve });
    expect(() => source.emit("uncaughtException", "text")).toThrow("log broken");
    expect(await ended.promise).toBe(1);
  });
});

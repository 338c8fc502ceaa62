import { defineFeature } from "@agent-service/agent-core/host";
import { expect, expectTypeOf, it } from "vitest";
import { type AnyServiceFeature, defineServiceFeature } from "./index.ts";

it("serves what its engine part opened, typed by it, and counts as any feature", () => {
  const engine = defineFeature({ name: "greeting", open: () => ({ text: "hello" }) });
  const feature = defineServiceFeature({
    engine: () => engine,
    services(opened) {
      expectTypeOf(opened).toEqualTypeOf<{ text: string }>();
      return {};
    },
    flags: () => ({ inbox: true }),
  });
  const any: AnyServiceFeature = feature;
  expect(any.services?.({ text: "hello" }, {} as never)).toEqual({});
  expect(any.flags?.({} as never)).toEqual({ inbox: true });
});

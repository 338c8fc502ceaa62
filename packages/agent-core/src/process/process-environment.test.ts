import { describe, expect, it } from "vitest";
import { processEnvironment, safePath } from "./index.ts";

const inherited = {
  PATH: "/usr/bin:bin:/work/app/node_modules/.bin:.::/opt/tool/bin",
  HOME: "/home/ada",
  LANG: "C.UTF-8",
  LC_TIME: "de_DE",
  TERM: "xterm",
  GATEWAY_API_KEY: "sk-secret",
  NODE_OPTIONS: "--require=./evil.js",
  LD_PRELOAD: "evil.so",
  GIT_DIR: "/elsewhere",
  CI: "1",
};

describe("the environment of what the agent starts (PR3)", () => {
  it("holds what is allowed and nothing else of the service's own", () => {
    expect(processEnvironment({ inherited, writable: ["/work/app"] })).toEqual({
      ...{ HOME: "/home/ada", LANG: "C.UTF-8", LC_TIME: "de_DE", TERM: "dumb", PATH: "/usr/bin:/opt/tool/bin" },
    });
  });

  it("passes on what is named, but never what makes programs load code", () => {
    const named = ["CI", "NODE_OPTIONS", "LD_PRELOAD", "GIT_DIR", "PATH", "MISSING"];
    const environment = processEnvironment({ inherited, pass: named });
    expect(environment).toMatchObject({ CI: "1", PATH: expect.not.stringContaining(":bin:") });
    expect(Object.keys(environment).filter((name) => /NODE|LD_|GIT|MISSING/.test(name))).toEqual([]);
  });

  it("finds no program in a folder that the agent may write to, however its path is spelled", () => {
    expect(safePath("/work/app/../app/bin:/work/apple:/usr/bin/", ["/work/app"])).toBe("/work/apple:/usr/bin/");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlags } from "./parse-flags.ts";
import { StartupError } from "./startup-error.ts";

describe("the command line", () => {
  it("may be empty: everything is left to environment and configuration", () => {
    expect(parseFlags([])).toEqual({ setup: false, help: false, version: false, json: false });
  });

  it("takes every option, with a space or an equals sign", () => {
    expect(parseFlags(["--port", "0", "--host=::1", "--ui", "none", "--setup"])).toEqual({
      port: 0,
      host: "::1",
      ui: "none",
      setup: true,
      help: false,
      version: false,
      json: false,
    });
    expect(parseFlags(["--ui", "full"]).ui).toBe("console");
    expect(parseFlags(["-h"]).help).toBe(true);
    expect(parseFlags(["-v", "--json"])).toMatchObject({ version: true, json: true });
    expect(parseFlags(["-v"]).version).toBe(true);
    expect(parseFlags(["config", "explain"]).explain).toEqual({});
    expect(parseFlags(["config", "explain", "model.name"]).explain).toEqual({ key: "model.name" });
  });

  it.each([
    [["--prot", "1"], /unknown option '--prot'/],
    [["serve"], /unknown argument "serve"/],
    [["config"], /config takes one command: config explain/],
    [["config", "explain", "a", "b"], /config takes one command/],
    [["--port"], /argument missing/],
    [["--port", "http"], /--port takes a number from 0 to 65535, not "http"/],
    [["--port", "65536"], /--port takes/],
    [["--port=-1"], /--port takes/],
    [["--port="], /--port takes/],
    [["--host="], /--host takes/],
    [["--host", "http://x"], /--host takes/],
    [["--ui", "fancy"], /--ui takes console or none/],
    [["--setup=yes"], /--setup/],
    [["--json"], /LOG_FORMAT=json/],
    [["--json", "--port", "0"], /--json is for what prints and ends/],
  ])("%j is refused in one line with exit code 2", (args, message) => {
    expect(() => parseFlags(args)).toThrow(StartupError);
    try {
      parseFlags(args);
    } catch (error) {
      expect(error).toMatchObject({ code: "usage", exitCode: 2, message: expect.stringMatching(message) });
      expect((error as Error).message).not.toContain("\n");
    }
  });

  it("never answers anything but flags or a usage error", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("--port", "--ui", "--", "-p", "--port=1", "config", "explain"))),
        (args) => {
          try {
            expect(parseFlags(args)).toHaveProperty("setup");
          } catch (error) {
            expect(error).toMatchObject({ code: "usage" });
          }
        },
      ),
    );
  });
});

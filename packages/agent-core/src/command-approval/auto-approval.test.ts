import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { AutoApproval, splitCommand } from "./index.ts";

const approval = new AutoApproval(["git status", "npm test", "grep", "ls", "find", "cargo test", "mytool check"]);
const forbidden = [
  ..."; & | $ ( ) < > * ? [ ] { } ~ # ! ` \\".split(" "),
  "\n",
  "\r",
  "\t",
  "\0",
  "\u00a0",
  "\u200b",
  "\u202e",
];

describe("commands that run without asking (F10)", () => {
  test.each([
    ["git status", ["git", "status"]],
    ["  git   status  --short ", ["git", "status", "--short"]],
    [`grep -rn "two words" 'src/a b' ""`, ["grep", "-rn", "two words", "src/a b", ""]],
    ["'git' sta\"tus\"", ["git", "status"]],
    ["find src -name index.ts -type f", ["find", "src", "-name", "index.ts", "-type", "f"]],
    ["npm test -- --silent", ["npm", "test", "--", "--silent"]],
  ])("%s is what is executed, token by token", (command, argv) => {
    expect(approval.match(command)?.argv).toEqual(argv);
  });

  test.each([
    ["git", "a beginning of an entry"],
    ["git stat", "a beginning of its last token"],
    ["git -C .. status", "an option before the subcommand"],
    ["GIT_DIR=x git status", "a variable before the program"],
    ["./git status", "another program of the name"],
    ["git 'status", "an open quote"],
    ["mytool check --output=x", "an option that writes"],
    ["mytool check --outp x", "its abbreviation"],
    ["mytool check -vo x", "a bundle"],
    ["mytool check -ox", "a value attached"],
    ["mytool check --outputFile x", "another spelling"],
    ["mytool check @arguments", "a file of arguments"],
    ["cargo test --config x", "settings"],
    ["npm test --script-shell=/tmp/x", "a program to run"],
    ["npm test SHELL=x", "a variable as an argument"],
    ["find . -fprint x", "what find writes"],
    ["find . -delete", "what find removes"],
  ])("%s is asked about: %s", (command) => {
    expect(approval.match(command)).toBeUndefined();
  });

  it("property: nothing with a character that a shell interprets, or an invisible one, is approved, wherever it is", () => {
    fc.assert(
      fc.property(fc.constantFrom(...forbidden), fc.nat(20), fc.boolean(), (sign, at, quoted) => {
        const base = quoted ? "grep 'some text' file" : "git status --short";
        expect(approval.match(base.slice(0, at) + sign + base.slice(at))).toBeUndefined();
      }),
    );
  });

  it("property: what is split is what a shell would have made of it", () => {
    const piece = fc.oneof(
      fc.constantFrom(" ", "'", '"', "  ", "-", "=", "/", "'a b'", '"c"'),
      fc.stringMatching(/^[a-z0-9.,:%^@+-]$/),
    );
    const texts = fc.sample(
      fc.array(piece, { maxLength: 12 }).map((pieces) => `p${pieces.join("")}`),
      { numRuns: 300, seed: 7 },
    );
    const plain = texts.filter((text) => splitCommand(text) !== undefined);
    const script = plain
      .map((text) => `set -- ${text}\nfor t; do printf '%s\\0' "$t"; done; printf '\\1\\0'`)
      .join("\n");
    const seen = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\u0001\0").slice(0, -1);
    expect(plain.length).toBeGreaterThan(100);
    expect(seen).toEqual(
      plain.map((text) =>
        splitCommand(text)!
          .map((token) => `${token}\0`)
          .join(""),
      ),
    );
  });

  it("property: no text at all is approved by entries that were dropped", () => {
    const dropped = new AutoApproval(["sh", "git", "npm run", "env"]);
    fc.assert(fc.property(fc.string(), (text) => dropped.match(text) === undefined));
    expect(dropped.match("sh x")).toBeUndefined();
  });
});

describe("the entries themselves (F10)", () => {
  test.each([
    ["sh", /arguments/],
    ["/bin/bash -c", /arguments/],
    ["env FOO=1", /arguments/],
    ["sudo ls", /arguments/],
    ["npx vitest", /arguments/],
    ["make test", /arguments/],
    ["git", /alone/],
    ["git -c x=y status", /alone/],
    ["npm run", /npm run/],
    ["npm run --silent", /npm run/],
    ["git config", /git config/],
    ["python", /alone/],
    ["python3.12", /arguments/],
    ["node --eval", /alone/],
    ["./check.sh", /changed by the agent/],
    ["grep foo | wc", /a shell reads/],
    ["cat $HOME", /a shell reads/],
    ["", /empty/],
    ["A=1 ls", /variable/],
    ["mytool --output x", /may write/],
  ])("%s is dropped, and the reason said", (entry, why) => {
    expect(new AutoApproval([entry]).dropped).toEqual([{ entry, why: expect.stringMatching(why) }]);
  });

  test.each([
    "npm test",
    "npm run build",
    "pnpm typecheck",
    "git diff --stat",
    "cargo test",
    "/usr/bin/ls",
    "tsc",
    "python check.py",
  ])("%s stays", (entry) => {
    expect(new AutoApproval([entry]).dropped).toEqual([]);
  });
});

describe("what needs a shell (F11)", () => {
  test.each(["a | b", "a > b", "A=1 b", "a\nb", "a 'b", "a $B", "ls *.ts", "a && b", "a \\b", ""])(
    "%j does",
    (command) => {
      expect(splitCommand(command)).toBeUndefined();
    },
  );
});

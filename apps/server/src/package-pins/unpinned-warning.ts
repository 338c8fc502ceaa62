/** Whether what a command downloads and runs is fixed: a package that may change over night is worth a warning (M16). */

/** Runners of packages, with the options of theirs that take the next word as their value. */
const RUNNERS: { readonly [program: string]: readonly string[] } = {
  npx: ["--package", "-p", "--registry", "--cache", "--userconfig", "--prefix", "--node-options"],
  bunx: ["--package", "-p"],
  pnpx: [],
  uvx: ["--from", "--with", "--python", "-p", "--index", "--index-url", "--default-index", "--extra-index-url"],
  pipx: ["--spec", "--python", "--index-url", "-i", "--pip-args"],
};
/** Options whose value is the package itself. */
const PACKAGE_OPTION = /^(?:--package|-p|--from|--spec)(?:=(.*))?$/s;
/** Options of `docker run` that stand alone; every other one with one minus or two takes a value. */
const ALONE = /^(?:-i|-t|-it|-ti|-d|--rm|--init|--interactive|--tty|--privileged|--read-only|--no-healthcheck|-P)$/;

/** One sentence for a command whose package or image has no version; undefined: it has one, or there is none to pin. */
export function unpinnedWarning(command: string, args: readonly string[]): string | undefined {
  const program = (command.split(/[/\\]/).at(-1) ?? command).replace(/\.(?:cmd|exe)$/i, "").toLowerCase();
  const words = [program, ...args];
  const { runner, rest } = runnerOf(words);
  if (runner === undefined) return undefined;
  if (runner === "image") {
    const image = imageOf(rest);
    return image === undefined || isPinnedImage(image)
      ? undefined
      : "the image has no fixed version; write its tag or digest behind it, so that it cannot change unseen";
  }
  const name = packageOf(runner, rest);
  return name === undefined || isPinnedPackage(runner, name)
    ? undefined
    : `the package that ${runner} downloads has no fixed version; write name@version, so that it cannot change unseen`;
}

function runnerOf(words: readonly string[]): { readonly runner?: string; readonly rest: readonly string[] } {
  const [program = "", verb = "", second = ""] = words;
  if (Object.hasOwn(RUNNERS, program) && program !== "pipx") return { runner: program, rest: words.slice(1) };
  if (program === "pipx" && verb === "run") return { runner: "pipx", rest: words.slice(2) };
  if ((program === "pnpm" && verb === "dlx") || (program === "yarn" && verb === "dlx"))
    return { runner: "pnpx", rest: words.slice(2) };
  if (program === "npm" && (verb === "exec" || verb === "x")) return { runner: "npx", rest: words.slice(2) };
  if (program === "bun" && verb === "x") return { runner: "bunx", rest: words.slice(2) };
  if (program === "uv" && verb === "tool" && second === "run") return { runner: "uvx", rest: words.slice(3) };
  if ((program === "docker" || program === "podman") && verb === "run")
    return { runner: "image", rest: words.slice(2) };
  return { rest: [] };
}

function packageOf(runner: string, args: readonly string[]): string | undefined {
  const withValue = RUNNERS[runner] ?? [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    // `-p` of uvx is an interpreter.
    const option = runner === "uvx" && arg.startsWith("-p") ? null : PACKAGE_OPTION.exec(arg);
    if (option) return option[1] ?? args[at + 1];
    if (withValue.includes(arg)) at++;
    else if (arg !== "--" && !arg.startsWith("-")) return arg;
  }
  return undefined;
}

function isPinnedPackage(runner: string, name: string): boolean {
  // A placeholder decides, an address with a commit is fixed, a path is a program of this machine.
  if (/^(?:\.|\/|~|\$\{)/.test(name)) return true;
  if (/^(?:git\+|https?:|github:|git:)/.test(name)) return /[@#][0-9a-f]{40}(?:$|[#&])/.test(name);
  const python = runner === "uvx" || runner === "pipx";
  // `name@1` and `name@1.2` are ranges to npm.
  const version = python
    ? /^[A-Za-z0-9._-]+(?:\[[^\]]*\])?(?:@|===?)\d[0-9A-Za-z.!+_-]*$/
    : /^(?:@[^/@]+\/)?[^/@]+@v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]*)?$/;
  return version.test(name);
}

function imageOf(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) return arg;
    if (!ALONE.test(arg) && !arg.includes("=")) at++;
  }
  return undefined;
}

function isPinnedImage(image: string): boolean {
  if (/@sha256:[0-9a-f]{64}$/.test(image) || image.includes("${")) return true;
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  return tag !== undefined && tag !== "latest";
}

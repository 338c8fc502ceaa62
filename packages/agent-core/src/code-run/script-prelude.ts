/**
 * What runs in the machine before the script and gives it `tools`, `print`, `console`, and a clock and random numbers that
 * are the same each time it runs (SC3). It takes the functions of the machine out of the script's reach; what a script
 * does to the prototypes around it changes nothing but its own calls.
 */
export const PRELUDE = `((host, names, startedAt, seed, mostArgs) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { has, ownKeys, construct } = Reflect;
  const { call, print, done, failed } = host;
  const text = String, wrong = Error, later = Promise, tooLarge = RangeError;
  const listed = { __proto__: null }, waiting = { __proto__: null }, made = { __proto__: null };
  for (let i = 0; i < names.length; i++) listed[names[i]] = true;
  let next = 0;
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof wrong) return value.name + ": " + value.message;
    if (typeof value === "object" && value !== null) {
      try {
        const json = stringify(value);
        if (typeof json === "string") return json;
      } catch {}
    }
    try { return text(value); } catch { return "(a value that cannot be shown)"; }
  };
  const toolOf = (name) => (args = {}) => new later((resolve, reject) => {
    const json = stringify(args);
    if (typeof json !== "string") throw new wrong(name + ": the arguments are no JSON value");
    if (json.length > mostArgs) throw new tooLarge(name + ": the arguments are longer than " + mostArgs + " characters");
    const id = next++;
    waiting[id] = { __proto__: null, resolve, reject };
    call(id, name, json);
  });
  const handler = {
    __proto__: null,
    get: (_, name) => {
      if (typeof name !== "string" || name === "then" || name === "toJSON") return undefined;
      if (listed[name] !== true) throw new wrong("there is no tool named " + name + " here");
      return (made[name] ??= toolOf(name));
    },
    has: (_, name) => listed[name] === true,
    ownKeys: () => ownKeys(listed),
    getOwnPropertyDescriptor: (target, name) =>
      listed[name] === true ? { value: handler.get(target, name), enumerable: true, configurable: true } : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  };
  const write = (...values) => {
    let line = "";
    for (let i = 0; i < values.length; i++) line += (i === 0 ? "" : " ") + show(values[i]);
    print(line);
  };
  const NativeDate = Date;
  const fixed = new Proxy(NativeDate, {
    __proto__: null,
    construct: (target, args, self) => construct(target, args.length === 0 ? [startedAt] : args, self),
    apply: () => new NativeDate(startedAt).toString(),
  });
  const now = () => startedAt;
  NativeDate.now = now;
  NativeDate.prototype.constructor = fixed;
  let [a, b, c, d] = seed;
  Math.random = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true });
  define("Date", fixed);
  define("tools", new Proxy({ __proto__: null }, handler));
  define("print", write);
  define("console", { log: write, info: write, warn: write, error: write, debug: write });
  for (const name of ["WeakRef", "FinalizationRegistry", "performance"]) delete globalThis[name];
  return {
    settle: (id, ok, result) => {
      const { resolve, reject } = waiting[id];
      delete waiting[id];
      if (!ok) return reject(new wrong(result));
      if (result[0] === "{" || result[0] === "[") {
        try { return resolve(parse(result)); } catch {}
      }
      resolve(result);
    },
    run: (main) => {
      (async () => main())().then(
        (value) => done(value === undefined ? "" : show(value)),
        (error) => failed(show(error), error instanceof wrong ? text(error.stack) : ""),
      );
    },
  };
})`;

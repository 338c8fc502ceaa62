import type { Random } from "./random.ts";
import { isatapOf, spellingsOf, wrappersOf } from "./ssrf-spellings.ts";

/** One request. The world's web server answers `/to/<encoded URL>` with a redirect to it, everything else with 200. */
export interface SsrfCase {
  readonly kind: string;
  readonly url: string;
  /** What the name double answers, per host: one list per question, the last one for ever. */
  readonly names?: { readonly [host: string]: readonly (readonly string[])[] };
  readonly allowedHosts?: readonly string[];
  readonly allowedCidrs?: readonly string[];
  /** Codes that are a right refusal; absent for a request that must arrive. */
  readonly refused?: readonly string[];
  /** The only addresses a socket may be opened to. */
  readonly reachable: readonly string[];
}

const PRIVATE_V4 = [
  ...["127.0.0.1", "127.1.2.3", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.254", "172.16.0.1"],
  ...["172.31.255.254", "192.168.0.1", "192.168.255.254", "169.254.169.254", "169.254.0.1", "100.64.0.1"],
  ...["100.100.100.200", "100.127.255.254", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1"],
  ...["198.19.255.254", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1"],
  ...["255.255.255.255", "168.63.129.16"],
];

const PRIVATE_V6 = [
  ...["::", "::1", "::2", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002::1"],
  ...["3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1"],
  ...["feff::1", "ff02::1", "ff0e::1", "64:ff9b::1", "64:ff9b:1::1"],
];

const PUBLIC_V4 = [
  ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "93.184.216.34", "100.63.255.255", "100.128.0.1"],
  ...["126.255.255.255", "128.0.0.1", "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1"],
  ...["192.0.1.1", "192.167.255.255", "192.169.0.1", "198.17.255.255", "198.20.0.1", "203.0.112.255", "223.255.255.1"],
];

const PUBLIC_V6 = ["2606:4700:4700::1111", "2001:4860:4860::8888", "2a01:4f8::1", "2003::1", "2620:fe::fe"];

/** Address literals as the parser gives them back, so that a trace can be compared. */
const inBrackets = (address: string): string => `[${address}]`;
const refusedAddress = ["egress.refused-address"];

function withPort(host: string, random: Random): string {
  return random.chance(0.4) ? `${host}:${random.pick([22, 80, 443, 2375, 6379, 8080, 65535])}` : host;
}

function literals(random: Random): SsrfCase[] {
  const spelled = PRIVATE_V4.flatMap((address) => [
    ...spellingsOf(address).map((host) => ({ kind: "spelling", host })),
    ...wrappersOf(address).map((host) => ({ kind: "wrapper", host: inBrackets(host) })),
    ...isatapOf(address).map((host) => ({ kind: "isatap", host: inBrackets(host) })),
  ]);
  const six = PRIVATE_V6.map((address) => ({ kind: "ipv6", host: inBrackets(address) }));
  const wrappedPublic = wrappersOf("8.8.8.8").map((host) => ({ kind: "wrapper", host: inBrackets(host) }));
  return [...spelled, ...six, ...wrappedPublic].map(({ kind, host }) => ({
    kind,
    url: `${random.pick(["http", "HTTP", "https"])}://${withPort(host, random)}/${random.pick(["", "x?y=1", "latest/meta-data/"])}`,
    refused: refusedAddress,
    reachable: [],
  }));
}

function written(): SsrfCase[] {
  const forms: readonly (readonly [string, string])[] = [
    ...[
      "user@93.184.216.34",
      "user:pw@93.184.216.34",
      ":pw@93.184.216.34",
      "93.184.216.34@127.0.0.1",
      "a%40b@1.1.1.1",
    ].map((authority) => [`http://${authority}/`, "egress.refused-credentials"] as const),
    ...[
      "file:///etc/passwd",
      "ftp://1.1.1.1/",
      "gopher://1.1.1.1/_x",
      "ws://1.1.1.1/",
      "data:text/plain,x",
      "javascript:1",
      "dict://1.1.1.1:11211/",
      "ldap://1.1.1.1/",
      "blob:http://1.1.1.1/x",
      "about:blank",
      "unix:/run/docker.sock",
    ].map((url) => [url, "egress.refused-scheme"] as const),
    ...[
      "localhost",
      "LocalHost",
      "localhost.",
      "a.localhost",
      "a.b.localhost.",
      "ｌｏｃａｌｈｏｓｔ",
      "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
      "localhost:22",
      "loc%61lhost",
      "metadata",
      "metadata.google.internal",
      "METADATA.GOOGLE.INTERNAL.",
      "metadata.goog",
      "instance-data",
      "instance-data.ec2.internal",
      "kubernetes.default.svc",
      "rancher-metadata",
    ].map((host) => [`http://${host}/`, "egress.refused-host"] as const),
    ...[
      "http:\\\\127.0.0.1\\x",
      "http:/127.0.0.1/",
      "http:127.0.0.1",
      "http:////127.0.0.1/",
      "ht\ntp://127.0.0.1/",
      " http://127.0.0.1/ ",
      "http://127.0.0.1\\@93.184.216.34/",
      "http://127.0.0.1#@93.184.216.34/",
      "http://127.0.0.1?@93.184.216.34/",
      "http://127.0.\t0.1/",
    ].map((url) => [url, "egress.refused-address"] as const),
    ...[
      "http://",
      "http://:80/",
      "http://256.1.1.1/",
      "http://1.1.1.1.1/",
      "http://0x100000000/",
      "http://[::1",
      "http://[fe80::1%25eth0]/",
      "http://1.1.1.1:99999/",
      "http://1.1.1.1:0/",
      "//127.0.0.1/",
      "127.0.0.1",
      "http://a b/",
      "http://\0/",
      "http://09.1.1.1/",
    ].map((url) => [url, "egress.invalid-url"] as const),
  ];
  return forms.map(([url, code]) => ({ kind: "form", url, refused: [code], reachable: [] }));
}

function names(): SsrfCase[] {
  const bad = [...PRIVATE_V4, ...PRIVATE_V6, ...wrappersOf("10.0.0.1"), ...isatapOf("10.0.0.1"), "fe80::1%eth0"];
  const good = "93.184.216.34";
  return bad.flatMap((address, index) => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["name", [address]],
      ["mixed name", [good, address]],
      ["mixed name", [address, "2a01:4f8::1", good]],
    ];
    return cases.map(([kind, addresses], place) => {
      const host = `n${index}x${place}.rebind.test`;
      return { kind, url: `http://${host}/`, names: { [host]: [addresses] }, refused: refusedAddress, reachable: [] };
    });
  });
}

/** Through 0 to 4 harmless hops to a hostile one; and names that change their mind between two hops. */
function redirects(random: Random, hostile: readonly SsrfCase[]): SsrfCase[] {
  const hop = "93.184.216.34";
  const chains = sample(random, hostile, 60).map(({ url, names: own, refused = [] }): SsrfCase => {
    let chained = url;
    for (let depth = random.int(1, 5); depth > 0; depth--) chained = `http://${hop}/to/${encodeURIComponent(chained)}`;
    return { kind: "redirect", url: chained, names: own ?? {}, refused, reachable: [hop] };
  });
  let tooFar = "http://93.184.216.34/end";
  for (let depth = 0; depth < 6; depth++) tooFar = `http://${hop}/to/${encodeURIComponent(tooFar)}`;
  const changing = PRIVATE_V4.map((address, index): SsrfCase => {
    const host = `change${index}.rebind.test`;
    const to = encodeURIComponent(`http://${host}/secret`);
    const answers = { [host]: [[hop], [address]] };
    return {
      kind: "rebinding",
      url: `http://${host}/to/${to}`,
      names: answers,
      refused: refusedAddress,
      reachable: [hop],
    };
  });
  return [
    ...chains,
    ...changing,
    { kind: "redirect", url: tooFar, refused: ["egress.too-many-redirects"], reachable: [hop] },
  ];
}

function sample<T>(random: Random, items: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => random.pick(items));
}

/** Requests that must be refused without a socket to anything refused. */
export function hostileCases(random: Random): SsrfCase[] {
  const direct = [...literals(random.fork("literals")), ...written(), ...names()];
  // A location is read relative to where it stands, so a scheme-less one means something else there.
  const chainable = direct.filter(({ url }) => /^https?:\/\/[^\\\s\0]+$/.test(url));
  return [...direct, ...redirects(random.fork("redirects"), chainable)];
}

/** Requests that must arrive. */
export function goodCases(random: Random): SsrfCase[] {
  const cases: SsrfCase[] = [];
  const add = (kind: string, url: string, reachable: readonly string[], more: Partial<SsrfCase> = {}): void => {
    cases.push({ kind, url, reachable, ...more });
  };
  for (const address of PUBLIC_V4) {
    for (const host of sample(random, spellingsOf(address), 3)) add("spelling", `http://${host}/`, [address]);
    add("port", `http://${withPort(address, random).replace(/:443$/, ":8443")}/p?q=1#f`, [address]);
    add("name", `http://name.test/`, [address], { names: { "name.test": [[address]] } });
    add("trailing dot", `http://Name.TEST./`, [address], { names: { "name.test": [[address]] } });
    add("rebinding too late", `http://r.test/`, [address], { names: { "r.test": [[address], ["127.0.0.1"]] } });
    const hop = `http://${address}/to/${encodeURIComponent("http://1.1.1.1/")}`;
    add("redirect", hop, [address, "1.1.1.1"]);
  }
  for (const address of [...PUBLIC_V6, "2a01:4f8::5efe:808:808"]) {
    add("ipv6", `http://[${address}]/`, [address]);
    add("name", "http://bücher.test/", [address], { names: { "xn--bcher-kva.test": [[address, "8.8.8.8"]] } });
  }
  for (const address of ["10.0.0.5", "192.168.1.2", "169.254.169.254"]) {
    const answers = { names: { "named.internal": [[address]] } };
    add("allowed host", "http://NAMED.internal./", [address], { ...answers, allowedHosts: ["named.internal"] });
    add("allowed block", "http://named.internal/", [address], { ...answers, allowedCidrs: [`${address}/24`] });
    add("allowed address", `http://${address}/`, [address], { allowedHosts: [address] });
    const hop = `http://1.1.1.1/to/${encodeURIComponent("http://named.internal/")}`;
    add("allowed after a redirect", hop, [address, "1.1.1.1"], { ...answers, allowedHosts: ["named.internal"] });
  }
  add("named localhost", "http://localhost/", ["10.0.0.5"], {
    names: { localhost: [["10.0.0.5"]] },
    allowedHosts: ["localhost"],
  });
  add("at sign in the path", "http://1.1.1.1\\@127.0.0.1/", ["1.1.1.1"]);
  add("at sign in the fragment", "http://1.1.1.1#@127.0.0.1/", ["1.1.1.1"]);
  let far = "http://1.1.1.1/end";
  for (let depth = 0; depth < 5; depth++) far = `http://8.8.8.8/to/${encodeURIComponent(far)}`;
  add("five redirects", far, ["1.1.1.1", "8.8.8.8"]);
  return cases;
}

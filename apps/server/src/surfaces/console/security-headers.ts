/**
 * The headers on the frames in which the console shows what a model made: diagrams and pages. A frame has an origin of its
 * own (`sandbox`), so it reads nothing of the console, and it may request nothing; what it shows reaches it as a message. Its
 * scripts are for any origin to load, because its own is none.
 */
export function frameSecurityHeaders(path: string): Readonly<Record<string, string>> {
  // A page that a model wrote has its scripts inside; that of diagrams has a file beside it.
  const scripts = path === "frames/preview.html" ? "'unsafe-inline'" : "'self'";
  return {
    "content-security-policy": [
      "default-src 'none'",
      `script-src ${scripts}`,
      "style-src 'unsafe-inline'",
      "img-src data: blob:",
      "font-src data:",
      "media-src data: blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "sandbox allow-scripts",
    ].join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "permissions-policy": consoleSecurityHeaders["permissions-policy"] ?? "",
  };
}

/**
 * The headers on everything under `/app` (S6). Scripts, styles, fonts and connections come from this server only,
 * nothing inline; images may also be created by the page itself. Plugin views are framed from this origin; no other site
 * may frame the console.
 */
export const consoleSecurityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

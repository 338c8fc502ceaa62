/** The style sheet of shared pages: the console's colours and faces, of which none is loaded from elsewhere. */
export const SHARE_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(0.987 0.003 268), oklch(0.178 0.01 268));
  --raised: light-dark(oklch(1 0 0), oklch(0.225 0.011 268));
  --sunken: light-dark(oklch(0.965 0.005 268), oklch(0.15 0.009 268));
  --line: light-dark(oklch(0.9 0.01 268), oklch(0.305 0.014 268));
  --ink: light-dark(oklch(0.225 0.018 268), oklch(0.94 0.006 268));
  --ink-soft: light-dark(oklch(0.455 0.018 268), oklch(0.745 0.013 268));
  --accent: light-dark(oklch(0.505 0.2 276), oklch(0.765 0.108 280));
  --accent-soft: light-dark(oklch(0.95 0.028 276), oklch(0.292 0.06 280));
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 760px;
  padding: 2rem 1.25rem 3rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.625 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 1rem; }
.brand { align-items: center; display: flex; font-weight: 600; gap: 0.5rem; margin: 0; }
.mark { color: var(--accent); flex: none; height: 1.25rem; width: 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0.5rem 0; }
.facts, footer, .step, .state { color: var(--ink-soft); font-size: 0.8125rem; line-height: 1.5; margin: 0; }
section { margin: 1.25rem 0; }
section > h2 { font-size: 0.8125rem; line-height: 1.4; margin: 0 0 0.25rem; }
.user { background: var(--accent-soft); border-radius: 14px; margin-left: auto; max-width: 88%; padding: 0.625rem 1rem; width: fit-content; }
.text > :first-child { margin-top: 0; }
.text > :last-child { margin-bottom: 0; }
.text h1, .text h2, .text h3 { font-size: 1.0625rem; line-height: 1.4; margin: 1.25rem 0 0.5rem; }
.plain { white-space: pre-wrap; }
.step { margin: 0.375rem 0; padding-left: 0.75rem; border-left: 2px solid var(--line); }
.step summary { cursor: pointer; }
.step h3 { font-size: 0.75rem; margin: 0.5rem 0 0.25rem; }
.outcome { opacity: 0.85; }
.outcome::before { content: "· "; }
pre {
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: 6px;
  font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", monospace;
  overflow-x: auto;
  padding: 0.75rem;
  white-space: pre-wrap;
}
code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", monospace; font-size: 0.875em; }
pre code { font-size: inherit; }
table { border-collapse: collapse; display: block; font-size: 0.9375rem; overflow-x: auto; }
caption { font-weight: 600; padding: 0.25rem 0; text-align: left; }
th, td { border: 1px solid var(--line); padding: 0.375rem 0.625rem; text-align: left; vertical-align: top; }
th { background: var(--sunken); }
blockquote { border-left: 3px solid var(--line); color: var(--ink-soft); margin: 0.75rem 0; padding-left: 0.875rem; }
a { color: var(--accent); }
.files { font-size: 0.8125rem; list-style: none; margin: 0.5rem 0 0; padding: 0; }
footer { align-items: center; border-top: 1px solid var(--line); display: flex; gap: 0.5rem; margin-top: 2.5rem; padding-top: 1rem; }
footer .mark { height: 1rem; width: 1rem; }
.empty { padding: 15vh 0; text-align: center; }
.empty .mark { height: 2.5rem; width: 2.5rem; }
@media print {
  body { max-width: none; }
}
`;

import { createRoot, type Root } from "react-dom/client";
import {
  type BaseUrls,
  baseUrlsOf,
  createConsoleApi,
  createStored,
  provideRandomUuid,
  THEME_KEY,
} from "./api/index.ts";
import { showTheme, themeModeOf } from "./appearance/index.ts";

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

showTheme(themeModeOf(createStored(THEME_KEY, window).read()), document.documentElement);

provideRandomUuid(crypto);

// The built script lies in the folder `assets` of the console; the development server has it elsewhere.
const script = import.meta.env.DEV ? new URL("/app/assets/main.js", location.href).href : import.meta.url;
void start(createRoot(element), baseUrlsOf(script));

/** Renders the console, or one of the two pages outside its frame: the API reference, for readers without a token, and the design page. */
async function start(root: Root, baseUrls: BaseUrls): Promise<void> {
  // A relative address would resolve against the page's own, which may be deeper.
  for (const link of document.querySelectorAll(
    'link[rel="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]',
  )) {
    const name = link.getAttribute("href")?.split("/").at(-1) ?? "";
    link.setAttribute("href", `${baseUrls.console}/${name}`);
  }
  if (location.pathname === `${baseUrls.console}/docs`) {
    const { ApiReferencePage } = await import("./features/api-reference/index.ts");
    root.render(<ApiReferencePage root={baseUrls.agent} />);
    return;
  }
  if (location.pathname === `${baseUrls.console}/design`) {
    const { DesignPage } = await import("./design/index.ts");
    root.render(<DesignPage />);
    return;
  }
  const [{ Console }, screens] = await Promise.all([import("./shell/index.ts"), import("./screens.ts")]);
  root.render(<Console api={createConsoleApi(baseUrls, window)} screens={Object.values(screens)} />);
}

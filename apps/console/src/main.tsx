import { createRoot, type Root } from "react-dom/client";
import { createConsoleApi, createStored, type Place, placeOf, provideRandomUuid, THEME_KEY } from "./api/index.ts";
import { showTheme, themeModeOf } from "./appearance/index.ts";

const element = document.getElementById("root");
if (!element) throw new Error("index.html has no #root");

showTheme(themeModeOf(createStored(THEME_KEY, window).read()), document.documentElement);

provideRandomUuid(crypto);

// The built script lies in the folder `assets` of the console; the development server has it elsewhere.
const script = import.meta.env.DEV ? new URL("/app/assets/main.js", location.href).href : import.meta.url;
void start(createRoot(element), placeOf(script));

/** The reference of the API is a page of its own, for people who read and do not operate. */
async function start(root: Root, place: Place): Promise<void> {
  // Relative to the page, it would be asked for elsewhere as soon as the address is a deeper one.
  document.querySelector('link[rel="icon"]')?.setAttribute("href", `${place.console}/icon.svg`);
  if (location.pathname === `${place.console}/docs`) {
    const { ApiReferencePage } = await import("./features/api-reference/index.ts");
    root.render(<ApiReferencePage />);
    return;
  }
  if (import.meta.env.DEV && location.pathname === `${place.console}/design`) {
    const { DesignPage } = await import("./design/index.ts");
    root.render(<DesignPage />);
    return;
  }
  const [{ Console }, { screens }] = await Promise.all([import("./shell/index.ts"), import("./screens.ts")]);
  root.render(<Console api={createConsoleApi(place, window)} screens={screens} />);
}

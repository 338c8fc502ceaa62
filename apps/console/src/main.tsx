import { createRoot } from "react-dom/client";
import { createConsoleApi, placeOf } from "./api/index.ts";
import { screens } from "./screens.ts";
import { Console } from "./shell/index.ts";
import "./ui/tokens.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// The built script lies in the folder `assets` of the console; the development server has it elsewhere.
const script = import.meta.env.DEV ? new URL("/app/assets/main.js", location.href).href : import.meta.url;
const api = createConsoleApi(placeOf(script), window);

createRoot(root).render(<Console api={api} screens={screens} />);

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { WelcomePage } from "./shell/index.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <WelcomePage />
  </StrictMode>,
);

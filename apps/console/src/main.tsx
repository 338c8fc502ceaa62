import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { pageAt, WelcomePage } from "./shell/index.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

const ApiReferencePage = lazy(async () => ({
  default: (await import("./features/api-reference/index.ts")).ApiReferencePage,
}));

createRoot(root).render(
  <StrictMode>
    {pageAt(location.pathname) === "docs" ? (
      <Suspense fallback={null}>
        <ApiReferencePage />
      </Suspense>
    ) : (
      <WelcomePage />
    )}
  </StrictMode>,
);

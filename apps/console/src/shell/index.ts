export { pageAt } from "./page-at.ts";
export { WelcomePage } from "./welcome-page.tsx";

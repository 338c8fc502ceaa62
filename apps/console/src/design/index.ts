export { DesignPage } from "./design-page.tsx";

export { PatchView } from "./patch-view.tsx";

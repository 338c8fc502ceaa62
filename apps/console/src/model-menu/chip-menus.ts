/** The menus of all chips in one file, loaded when one is opened first: what they share is most of each. */
export { EffortMenu } from "./effort-menu.tsx";
export { ModelMenu } from "./model-menu.tsx";

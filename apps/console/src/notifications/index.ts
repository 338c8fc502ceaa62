export { NotifyButton } from "./notify-button.tsx";
export { useBrowserNotifications } from "./use-browser-notifications.ts";

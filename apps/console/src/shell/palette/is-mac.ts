/** Keys are named as on this machine's keyboard. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

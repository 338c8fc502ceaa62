/** Plain choices for a schedule, and the five cron fields they stand for. */

export const EVERY = [
  { value: "day", label: "Every day" },
  { value: "weekdays", label: "Monday to Friday" },
  { value: "week", label: "Certain days of the week" },
  { value: "month", label: "Every month" },
  { value: "hour", label: "Every hour" },
  { value: "minutes", label: "Every few minutes" },
  { value: "once", label: "Once" },
  { value: "cron", label: "Cron fields" },
] as const;
export type Every = (typeof EVERY)[number]["value"];

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
/** Steps that divide an hour: others begin anew at each full hour, which people do not expect. */
export const STEPS = [1, 2, 5, 10, 15, 20, 30] as const;

/** What is chosen. What `every` does not use is kept for when it is chosen again. */
export interface Plain {
  readonly every: Every;
  /** `07:30`. */
  readonly time: string;
  /** 0 is Sunday. */
  readonly days: readonly number[];
  readonly dayOfMonth: number;
  readonly minute: number;
  readonly step: number;
  /** `2027-03-01T09:00`, in the time zone of the job. */
  readonly at: string;
  readonly cron: string;
}

export const USUAL: Plain = {
  ...{ every: "day", time: "09:00", days: [1], dayOfMonth: 1, minute: 0, step: 15, at: "", cron: "0 9 * * *" },
};

/** The schedule that is chosen; blank where something is missing. */
export function scheduleOf({ every, time, days, dayOfMonth, minute, step, at, cron }: Plain): string {
  const [hours = "", minutes = ""] = time.split(":");
  const clock = hours === "" || minutes === "" ? undefined : `${Number(minutes)} ${Number(hours)}`;
  switch (every) {
    case "day":
      return clock === undefined ? "" : `${clock} * * *`;
    case "weekdays":
      return clock === undefined ? "" : `${clock} * * 1-5`;
    case "week":
      return clock === undefined || days.length === 0 ? "" : `${clock} * * ${days.toSorted((a, b) => a - b).join(",")}`;
    case "month":
      return clock === undefined ? "" : `${clock} ${dayOfMonth} * *`;
    case "hour":
      return `${minute} * * * *`;
    case "minutes":
      return step === 1 ? "* * * * *" : `*/${step} * * * *`;
    case "once":
      return at;
    case "cron":
      return cron.trim();
  }
}

/** The choices that a schedule stands for; what they cannot say is shown as cron fields. */
export function plainOf(schedule: string): Plain {
  const usual = { ...USUAL, cron: schedule };
  if (/^\d{4}-/.test(schedule)) {
    // An offset belongs to the text: a clock without it would show another time.
    return /[Z+]|-\d\d:?\d\d$/i.test(schedule.slice(11))
      ? { ...usual, every: "cron" }
      : { ...usual, every: "once", at: schedule.slice(0, 16), cron: USUAL.cron };
  }
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = schedule.split(/\s+/);
  const fits = (parts: Partial<Plain>): Plain => {
    const plain = { ...usual, ...parts };
    return scheduleOf(plain) === schedule ? plain : { ...usual, every: "cron" };
  };
  if (month !== "*") return { ...usual, every: "cron" };
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (hour === "*" && day === "*" && weekday === "*") {
    const step = minute === "*" ? 1 : Number(/^\*\/(\d+)$/.exec(minute)?.[1]);
    if ((STEPS as readonly number[]).includes(step)) return fits({ every: "minutes", step });
    return fits({ every: "hour", minute: Number(minute) });
  }
  if (day !== "*")
    return weekday === "*" ? fits({ every: "month", dayOfMonth: Number(day), time }) : fits({ every: "cron" });
  if (weekday === "*") return fits({ every: "day", time });
  if (weekday === "1-5") return fits({ every: "weekdays", time });
  return fits({ every: "week", days: weekday.split(",").map(Number), time });
}

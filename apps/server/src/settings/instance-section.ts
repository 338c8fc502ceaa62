import * as v from "valibot";

const schema = v.object({
  id: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(
        /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/,
        "expected one path segment: letters, digits, dot, underscore and minus, at most 64",
      ),
    ),
    "",
  ),
});

export type InstanceSectionValue = v.InferOutput<typeof schema>;

/**
 * The section `instance` (N3) (`SVC_INSTANCE`, "seeded from `instance.id`"; N3). A wrong value refuses:
 * falling back to no instance would open somebody else's stores.
 */
export const instanceSection = {
  name: "instance",
  title: "This instance",
  category: "Box",
  description: "Distinguishes several instances on one machine.",
  schema,
  security: true,
  variables: {
    id: {
      variable: "SVC_INSTANCE",
      mode: "override",
      meaning: "Separates this instance's stores by one path segment.",
    },
  },
  fields: {
    id: {
      label: "Instance id",
      description: "One path segment that separates this instance's stores from others'.",
      type: "string",
      restart: true,
    },
  },
} as const;

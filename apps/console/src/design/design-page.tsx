import { Bot, ChartLine, CirclePause, ListTree, MessageSquare, Settings } from "lucide-react";
import { type ReactElement, useState } from "react";
import { AgentFigure, Mark } from "../identity/index.ts";
import {
  Button,
  type ButtonKind,
  Choices,
  classNames,
  Dialog,
  DRAWING_NAMES,
  Drawing,
  dollars,
  duration,
  EmptyState,
  ErrorState,
  Page,
  RelativeTime,
  Section,
  SelectField,
  Skeleton,
  StateBadge,
  Table,
  TextArea,
  TextField,
  tokens,
  type WorkState,
} from "../ui/index.ts";

type Theme = "light" | "dark";

const COLOURS = [
  ...["bg-ground", "bg-raised", "bg-sunken", "bg-hover", "bg-line", "bg-line-strong", "bg-ink", "bg-ink-soft"],
  ...[
    "bg-accent",
    "bg-accent-soft",
    "bg-waiting",
    "bg-waiting-soft",
    "bg-good",
    "bg-good-soft",
    "bg-bad",
    "bg-bad-soft",
  ],
];
const SIZES = ["text-3xl", "text-2xl", "text-xl", "text-lg", "text-base", "text-sm", "text-xs"];
const KINDS: readonly ButtonKind[] = ["primary", "secondary", "quiet", "danger"];
const STATES: readonly WorkState[] = ["queued", "working", "waiting", "completed", "failed", "canceled"];
const FIGURES = ["Ada", "Bruno", "Chidi", "Dara"] as const;
const ICONS = [MessageSquare, CirclePause, ListTree, Bot, ChartLine, Settings];
const ROWS = [
  { name: "Find the log", ms: 4_200, used: 1_900, cost: 0.004 },
  { name: "Read it", ms: 38, used: undefined, cost: undefined },
];

/** The design system on one page, for those who build the console: at the address `design` of it, linked from nowhere. */
export function DesignPage(): ReactElement {
  const [theme, setTheme] = useState<Theme>("light");
  return (
    <div style={{ colorScheme: theme }} className="h-full bg-ground text-ink">
      <Page
        title="Design"
        actions={
          <Choices
            label="Theme"
            value={theme}
            onChange={setTheme}
            options={[
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        }
      >
        <main className="mx-auto max-w-5xl">
          <Identity />
          <Tokens />
          <Controls />
          <Fields />
          <Lists />
          <States />
        </main>
      </Page>
    </div>
  );
}

function Identity(): ReactElement {
  return (
    <Section title="Mark, figures, drawings, icons">
      <div className="flex flex-wrap items-center gap-4">
        <Mark className="size-14 text-accent" />
        <Mark className="size-8" />
        {FIGURES.map((name) => (
          <AgentFigure key={name} name={name} withInitial className="size-14" />
        ))}
        <AgentFigure name={FIGURES[0]} className="size-8" />
      </div>
      <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-6">
        {DRAWING_NAMES.map((name) => (
          <li key={name} className="flex flex-col gap-1 text-sm">
            <Drawing name={name} />
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <p className="mt-6 flex flex-wrap items-center gap-4 text-ink-soft">
        {ICONS.map((Icon, index) => (
          <Icon key={index} aria-hidden className="size-5" />
        ))}
        Lucide, 20 px beside words in the rail, 16 px in buttons
      </p>
    </Section>
  );
}

function Tokens(): ReactElement {
  return (
    <>
      <Section title="Colours">
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
          {COLOURS.map((name) => (
            <li key={name} className="flex flex-col gap-1 text-sm">
              <span className={classNames("h-10 rounded-md border border-line", name)} />
              <code>{name.slice(3)}</code>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        {SIZES.map((size) => (
          <p key={size} className={size}>
            The agent waits for you <code>{size}</code>
          </p>
        ))}
      </Section>
    </>
  );
}

function Controls(): ReactElement {
  const [open, setOpen] = useState<"dialog" | "sheet" | undefined>(undefined);
  return (
    <Section title="Buttons, states, dialogs">
      <div className="flex flex-wrap items-center gap-2">
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind}>
            Approve
          </Button>
        ))}
        <Button busy>Approve</Button>
        <Button disabled>Approve</Button>
        <Button small>Reset</Button>
        <Button onClick={() => setOpen("dialog")}>Open a dialog</Button>
        <Button onClick={() => setOpen("sheet")}>Open a sheet</Button>
      </div>
      <div className="mt-4 flex flex-wrap gap-4">
        {STATES.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </div>
      <Dialog
        open={open !== undefined}
        onOpenChange={() => setOpen(undefined)}
        title="Remove the archive?"
        description="What is removed cannot be brought back."
        sheet={open === "sheet"}
      >
        <Button kind="danger" onClick={() => setOpen(undefined)}>
          Remove
        </Button>
      </Dialog>
    </Section>
  );
}

function Fields(): ReactElement {
  return (
    <Section title="Fields">
      <div className="grid gap-4 list:grid-cols-2">
        <TextField label="Name" hint="Shown beside every answer." defaultValue="Ada" />
        <TextField label="Address" error="An address begins with https." defaultValue="ftp://one" />
        <SelectField label="Model">
          <option>small</option>
          <option>large</option>
        </SelectField>
        <TextArea label="Persona" rows={3} placeholder="Who the agent is." />
      </div>
    </Section>
  );
}

function Lists(): ReactElement {
  return (
    <Section title="Tables and figures">
      <Table
        label="Steps"
        rows={ROWS}
        keyOf={({ name }) => name}
        columns={[
          { name: "Step", cell: ({ name }) => name },
          { name: "Began", cell: () => <RelativeTime at={new Date().toISOString()} /> },
          { name: "Time", cell: ({ ms }) => duration(ms), numeric: true },
          { name: "Tokens", cell: ({ used }) => tokens(used), numeric: true },
          { name: "Cost", cell: ({ cost }) => dollars(cost), numeric: true },
        ]}
      />
    </Section>
  );
}

function States(): ReactElement {
  return (
    <Section title="Empty, loading, failed">
      <div className="grid gap-4 list:grid-cols-3">
        <EmptyState title="No jobs yet" action={<Button kind="primary">New chat</Button>}>
          What the agent does beside a conversation is shown here.
        </EmptyState>
        <div className="flex flex-col gap-2 py-16">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-3 w-4/5" />
        </div>
        <ErrorState title="The list cannot be read" error={new Error("The store is full.")} onRetry={() => {}} />
      </div>
    </Section>
  );
}

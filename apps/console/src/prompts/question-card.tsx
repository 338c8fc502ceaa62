import { type FormEvent, type ReactElement, useState } from "react";
import { Button, InlineError, TextArea } from "../ui/index.ts";
import type { PromptOf, WaitingPrompt } from "./prompt.ts";
import { useDecide } from "./use-decide.ts";

/** A question that is answered with text. */
export function QuestionCard({
  prompt,
  payload,
}: {
  readonly prompt: WaitingPrompt;
  readonly payload: PromptOf<"question">;
}): ReactElement {
  const decide = useDecide(prompt.id);
  const [answer, setAnswer] = useState("");
  const send = (event: FormEvent): void => {
    event.preventDefault();
    decide.mutate({ decision: "answer", answer });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={send}>
      <TextArea
        label={<span className="text-base">{payload.question}</span>}
        rows={2}
        required
        value={answer}
        onChange={(event) => setAnswer(event.target.value)}
      />
      <div>
        <Button kind="primary" type="submit" busy={decide.isPending} disabled={answer.trim() === ""}>
          Answer
        </Button>
      </div>
      {decide.error !== null && <InlineError error={decide.error} />}
    </form>
  );
}

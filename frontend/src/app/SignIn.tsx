import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Key } from "../ui/Keys";
import { Mark } from "../ui/StateGlyph";

/** Asks for the access key when the page is served to a browser. */
export function SignIn({
  error,
  busy,
  onKey,
}: {
  error: string;
  busy: boolean;
  onKey: (key: string) => void;
}) {
  const [key, setKey] = useState("");
  const [left, setLeft] = useState(false);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setLeft(false);
    if (key.trim()) onKey(key.trim());
  };
  return (
    <main className="signin">
      <form onSubmit={submit}>
        <Mark />
        <h1>Drover</h1>
        <p>
          Enter the access key of this Drover. <code>drover serve</code> prints it where it was started.
        </p>
        <Field
          label="Access key"
          icon={KeyRound}
          type="password"
          className="mono"
          value={key}
          autoFocus
          disabled={busy}
          {...(error && !left ? { error } : {})}
          onChange={(e) => {
            setKey(e.target.value);
            setLeft(true);
          }}
        />
        <Button look="primary" type="submit" disabled={busy || key.trim() === ""}>
          {busy ? "Signing in…" : "Sign in"} <Key>↵</Key>
        </Button>
        <p className="t3 text-small">It is kept until this tab is closed.</p>
      </form>
    </main>
  );
}

import { Eye, EyeOff, KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Key } from "../ui/Keys";
import { Mark } from "../ui/StateGlyph";
import { readKey } from "./key";

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
  const [shown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!error || busy) return;
    field.current?.focus();
    field.current?.select();
  }, [error, busy]);
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setLeft(false);
    if (!busy && readKey(key)) onKey(readKey(key));
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
          ref={field}
          type={shown ? "text" : "password"}
          className="mono"
          value={key}
          autoFocus
          readOnly={busy}
          after={
            <button
              type="button"
              className="ib"
              aria-label="Show the key"
              aria-pressed={shown}
              title={shown ? "Hide the key" : "Show the key"}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff className="ic" aria-hidden /> : <Eye className="ic" aria-hidden />}
            </button>
          }
          {...(error && !left ? { error } : {})}
          onChange={(e) => {
            setKey(e.target.value);
            setLeft(true);
          }}
        />
        <Button look="primary" type="submit" disabled={busy || readKey(key) === ""}>
          {busy ? "Signing in…" : "Sign in"} <Key>↵</Key>
        </Button>
        <p className="t3 text-small">It is kept until this tab is closed.</p>
      </form>
    </main>
  );
}

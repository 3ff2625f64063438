import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useMirror } from "../../bridge/context";
import type { SettingsView } from "../../bridge/types";
import { errorText } from "../../lib/format";
import { Button } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { problemsOf } from "./problems";

/** What is wrong in the file, with its lines; the rest of the file applies. */
export function Problems({ view }: { view: SettingsView }) {
  const { api } = useMirror();
  const problems = problemsOf(view, useCommands());
  const [refused, setRefused] = useState("");
  if (problems.length === 0) return null;
  return (
    <div className="err mb-5" role="alert">
      <h3>
        <TriangleAlert className="ic" aria-hidden />
        Not all of the settings file could be used
      </h3>
      {problems.map((p) => (
        <p key={`${p.line}:${p.key}:${p.text}`}>
          {p.line > 0 && `Line ${p.line}`}
          {p.line > 0 && p.key && ", "}
          {p.key && <code>{p.key}</code>}
          {(p.line > 0 || p.key) && ": "}
          {p.text}
        </p>
      ))}
      {problems.every((p) => p.key !== "") && (
        <p>The defaults stand in for these; everything else applies.</p>
      )}
      {refused && <p>{refused}</p>}
      <div className="go">
        <Button
          small
          onClick={() => void api.app.openLink(`file://${view.path}`).catch((e) => setRefused(errorText(e)))}
        >
          Open the file
        </Button>
        <code className="selectable t3 cut self-center">{view.path}</code>
      </div>
    </div>
  );
}

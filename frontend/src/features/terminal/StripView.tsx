import { Button } from "../../ui/Button";
import { CommandKeys, Key } from "../../ui/Keys";
import { StateGlyph } from "../../ui/StateGlyph";
import type { Strip, StripAction } from "./strips";

/** One line of fact, one of calm, what can be done last. */
export function StripView({ strip, act }: { strip: Strip; act: (action: StripAction) => void }) {
  // The next step stands at the right; quieter ones before it.
  const actions = [...strip.actions].reverse();
  return (
    <div className="term-strip" role="status">
      <StateGlyph state={strip.state} silent />
      <span className="txt">
        <b>{strip.title}</b>
        {strip.rest}
        {strip.small && <small title={strip.small}>{strip.small}</small>}
      </span>
      {actions.map(({ action, label }, at) => (
        <Button
          key={action}
          small
          look={at === actions.length - 1 ? "plain" : "ghost"}
          onClick={() => act(action)}
        >
          {label}
          {action === "restart" && <Key>↵</Key>}
          {action === "discard" && <CommandKeys id="terminal.discardHeld" />}
        </Button>
      ))}
    </div>
  );
}

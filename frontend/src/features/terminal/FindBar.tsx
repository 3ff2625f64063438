import { ArrowDown, ArrowUp, CaseSensitive, Regex, Search, WholeWord, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { cx } from "../../lib/format";
import { Button, IconButton, Tip } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import type { FindState } from "./find-model";
import type { PaneModel } from "./pane-model";
import { countText } from "./search-model";

/** Search in one terminal, from the newest upwards: Enter goes up, Shift+Enter down, Esc closes. */
export function FindBar({ find, model }: { find: FindState; model: PaneModel }) {
  const commands = useCommands();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") model.endFind();
    else if (event.key === "Enter") event.shiftKey ? model.findNext() : model.findPrevious();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const inAll = () => {
    const { text, regex: regexp, matchCase, word } = find;
    commands.run("search.open", { text, regexp, matchCase, word, block: model.block, all: false });
  };
  const said = find.error || countText(find.text, find.index, find.count);

  return (
    <search className="term-find" onKeyDown={onKeyDown}>
      <div className={cx("field grow", find.error && "bad")}>
        <Search className="ic" aria-hidden />
        <input
          ref={input}
          // biome-ignore lint/a11y/noAutofocus: it opens because the person asked to type here
          autoFocus
          aria-label="Find in this terminal"
          aria-invalid={find.error ? true : undefined}
          spellCheck={false}
          autoComplete="off"
          value={find.text}
          onChange={(event) => model.search({ text: event.target.value })}
        />
        <output className="t3 small num nowrap">{said}</output>
      </div>
      <IconButton
        icon={CaseSensitive}
        name="Match case"
        on={find.matchCase}
        aria-pressed={find.matchCase}
        onClick={() => model.search({ matchCase: !find.matchCase })}
      />
      <IconButton
        icon={WholeWord}
        name="Whole words"
        on={find.word}
        aria-pressed={find.word}
        onClick={() => model.search({ word: !find.word })}
      />
      <IconButton
        icon={Regex}
        name="Pattern"
        on={find.regex}
        aria-pressed={find.regex}
        onClick={() => model.search({ regex: !find.regex })}
      />
      <IconButton icon={ArrowUp} name="Previous match, above (Enter)" onClick={() => model.findPrevious()} />
      <IconButton icon={ArrowDown} name="Next match, below (Shift+Enter)" onClick={() => model.findNext()} />
      <Tip text="Find in all that this terminal has kept" command="search.open">
        <Button small look="ghost" onClick={inAll}>
          In all of it
        </Button>
      </Tip>
      <IconButton icon={X} name="Close search" onClick={() => model.endFind()} />
    </search>
  );
}

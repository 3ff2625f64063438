import { memo, useEffect } from "react";
import { useShallow } from "zustand/react/shallow";
import { useKnown } from "../../bridge/context";
import { blockDir, blockName, rowsByBlock, stateOf } from "../../bridge/describe";
import type { SearchHit } from "../../bridge/types";
import { count } from "../../lib/format";
import { Button } from "../../ui/Button";
import { StateGlyph } from "../../ui/StateGlyph";
import { mostRows } from "./finder";
import { type Chosen, type Found, type Group, keyOf, rowText } from "./model";

export const rowId = (key: string): string => `seek-row-${key}`;

interface RowProps {
  block: string;
  hit: SearchHit;
  chosen: boolean;
  onChoose: (row: Chosen) => void;
  onGo: (row: Chosen) => void;
}

const Row = memo(function Row({ block, hit, chosen, onChoose, onGo }: RowProps) {
  const { before, match, after } = rowText(hit);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, and the arrows choose
    <div
      id={rowId(keyOf(block, hit.line))}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className="seek-row"
      // The field keeps the keys.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose({ block, hit })}
      onDoubleClick={() => onGo({ block, hit })}
    >
      {before}
      <mark>{match}</mark>
      {after}
    </div>
  );
});

/** What stands over the rows of a terminal. */
export function useTerminalHead(block: string) {
  return useKnown(
    useShallow(({ model, statuses, activity, terminals, hello }) => {
      const record = model.blocks[block];
      const row = rowsByBlock(activity).get(block);
      const workspace = model.workspaces.find((w) => w.id === record?.workspace)?.name ?? "";
      return {
        state: stateOf(statuses[block]),
        name: record ? blockName(record, statuses[block], row, terminals[block]) : "a closed terminal",
        dir: record ? blockDir(record, row, hello?.home ?? "") : "",
        workspace: model.workspaces.length > 1 ? workspace : "",
      };
    }),
  );
}

function GroupHead({ group }: { group: Group }) {
  const { state, name, dir, workspace } = useTerminalHead(group.block);
  return (
    <div className="seek-head" role="presentation">
      <StateGlyph state={state} small />
      <b className="cut">{name}</b>
      <span className="t3 cut grow">{[dir, workspace].filter(Boolean).join(" · ")}</span>
      <span className="t3 num">{group.hits.length > 0 ? group.hits.length : ""}</span>
    </div>
  );
}

interface ResultsProps {
  found: Found;
  text: string;
  /** The key of the chosen row. */
  chosen: string | undefined;
  onChoose: (row: Chosen) => void;
  onGo: (row: Chosen) => void;
  onMore: () => void;
}

export function Results({ found, text, chosen, onChoose, onGo, onMore }: ResultsProps) {
  useEffect(() => {
    if (chosen) document.getElementById(rowId(chosen))?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div className="seek-list">
      <div id="seek-rows" role="listbox" aria-label="Lines that were found" tabIndex={-1}>
        {found.groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
          <div key={group.block} role="group">
            <GroupHead group={group} />
            {group.hits.map((hit) => (
              <Row
                key={hit.line}
                block={group.block}
                hit={hit}
                chosen={keyOf(group.block, hit.line) === chosen}
                onChoose={onChoose}
                onGo={onGo}
              />
            ))}
            {group.error && <div className="seek-none bad">{group.error}</div>}
          </div>
        ))}
      </div>
      {found.state === "nothing" && (
        <div className="seek-none">
          It looks through all that is kept of a terminal’s output, also what is gone from the scrollback.
        </div>
      )}
      {found.state === "done" && found.total === 0 && (
        <div className="seek-none">Nothing that is kept has “{text}” in it.</div>
      )}
      {found.state === "more" && (
        <div className="seek-more">
          <Button small onClick={onMore}>
            Go on for {count(mostRows, "line")} more
          </Button>
        </div>
      )}
    </div>
  );
}

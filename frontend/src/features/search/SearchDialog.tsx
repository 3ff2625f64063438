import "./search.css";
import { CaseSensitive, Regex, Search, WholeWord } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { useMirror } from "../../bridge/context";
import { chordOf, chordText } from "../../lib/chord";
import { cx } from "../../lib/format";
import { anySelected } from "../../lib/selection";
import { IconButton } from "../../ui/Button";
import { useCommands } from "../../ui/commands";
import { useFocusBack } from "../../ui/Dialog";
import { Seg } from "../../ui/Field";
import { Key } from "../../ui/Keys";
import { useSession } from "../workspace";
import { Finder } from "./finder";
import { blocksFor, type Chosen, keyOf, lineText, type Query, type SearchWish, step, summary } from "./model";
import { Preview } from "./Preview";
import { Results, rowId } from "./Results";
import { Surroundings } from "./surroundings";

const toggles = [
  { field: "matchCase", chord: "Alt+C", name: "Match case", icon: CaseSensitive },
  { field: "word", chord: "Alt+W", name: "Whole words", icon: WholeWord },
  { field: "regexp", chord: "Alt+R", name: "Regular expression", icon: Regex },
] as const;

export interface SearchDialogProps {
  wish: SearchWish;
  copy: (text: string) => Promise<void>;
  /** Goes to a place in a terminal that has the keys now; false if it is not shown any more. */
  reveal: (block: string, place: { offset: number; before: string; match: string }) => Promise<boolean>;
  /** With what it would open again. */
  onClose: (left: SearchWish) => void;
}

/** Finds text in all that terminals have kept, also in what the scrollback has lost. */
export function SearchDialog({ wish, copy, reveal, onClose }: SearchDialogProps) {
  const session = useSession();
  const mirror = useMirror();
  const commands = useCommands();
  const focusBack = useFocusBack();
  const input = useRef<HTMLInputElement>(null);
  const preview = useRef<HTMLDivElement>(null);
  const here = useState(() => wish.block ?? session.block?.id ?? "")[0];
  const [all, setAll] = useState(here === "" || (wish.all ?? false));
  const [query, setQuery] = useState<Query>({
    text: wish.text ?? "",
    regexp: wish.regexp ?? false,
    matchCase: wish.matchCase ?? false,
    word: wish.word ?? false,
  });
  const { terminals } = mirror.api;
  const finder = useState(() => new Finder((request) => terminals.search(request)))[0];
  const surroundings = useState(() => new Surroundings((request) => terminals.around(request)))[0];
  const found = useStore(finder.store);
  const shown = useStore(surroundings.store, (s) => s.shown);
  const [picked, setPicked] = useState<Chosen>();
  const [copied, setCopied] = useState("");
  // What was picked stays so while rows come; else it is the newest of the first terminal.
  const chosen = useMemo(() => step(found, picked, 0), [found, picked]);
  const key = chosen && keyOf(chosen.block, chosen.hit.line);

  useEffect(() => {
    const blocks = blocksFor(mirror.known.model, here);
    finder.look(query, all ? blocks : blocks.slice(0, 1));
    return () => finder.stop();
  }, [finder, mirror, query, all, here]);
  // A new query that has not found it drops it, or the choice would jump to it later.
  useEffect(() => {
    if (picked && chosen && !found.stale && keyOf(picked.block, picked.hit.line) !== key)
      setPicked(undefined);
  }, [found, picked, chosen, key]);
  // By its key: the rows are told anew with each answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: key is what chosen is of
  useEffect(() => {
    surroundings.show(chosen);
    return () => surroundings.stop();
  }, [surroundings, key]);

  const goal = useRef<Chosen>(undefined);
  const asking = useRef(false);
  // The row of which was said that its place is in the log alone.
  const [lost, setLost] = useState("");
  const close = () => onClose({ ...query, all });
  const go = async (to: Chosen | undefined) => {
    if (!to || found.stale || asking.current) return;
    asking.current = true;
    const there = lost === keyOf(to.block, to.hit.line) || (await isShown(to));
    asking.current = false;
    if (!there) {
      setPicked(to);
      setLost(keyOf(to.block, to.hit.line));
      return;
    }
    goal.current = to;
    close();
  };
  const isShown = async ({ block, hit }: Chosen): Promise<boolean> => {
    const lines = mirror.known.settings?.settings.terminal.scrollback ?? 0;
    const answer = await terminals
      .locate({ block, offset: hit.line, shown: 0, lines })
      .catch(() => undefined);
    return answer?.found ?? true;
  };
  const arrive = ({ block, hit }: Chosen) => {
    session.focusBlock(block);
    if (lost === keyOf(block, hit.line)) return;
    const gone = (shown: boolean) =>
      shown ||
      session.toasts.show({
        level: "info",
        title: "That line is not in the terminal any more",
        text: "It has left the scrollback, or the output does not stand still. The search still shows it.",
      });
    void reveal(block, { offset: hit.line, before: hit.before, match: hit.match }).then(gone);
  };
  const copyLine = () => {
    if (!chosen) return;
    const whole = shown?.key === key ? shown?.lines[shown.at]?.text : undefined;
    session.try(
      "The line was not copied",
      copy(whole ?? lineText(chosen.hit)).then(() => setCopied(key ?? "")),
    );
  };
  const toggle = (field: (typeof toggles)[number]["field"]) =>
    setQuery((old) => ({ ...old, [field]: !old[field] }));
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const chord = chordOf(event.nativeEvent);
    const text = chord ? chordText(chord) : "";
    const flip = toggles.find((t) => t.chord === text);
    const inSeg = (event.target as Element).closest(".seg") !== null;
    if (flip) toggle(flip.field);
    else if ((text === "ArrowDown" || text === "ArrowUp") && !inSeg)
      setPicked(step(found, chosen, text === "ArrowDown" ? 1 : -1));
    else if (text === "PageDown" || text === "PageUp") {
      const { current } = preview;
      current?.scrollBy({ top: (text === "PageDown" ? 0.9 : -0.9) * current.clientHeight });
    } else if (text === "Enter" && event.target === input.current) void go(chosen);
    else if ((text === "Ctrl+C" || text === "Meta+C") && !anySelected()) copyLine();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="picker seek"
          aria-describedby={undefined}
          onKeyDown={keys}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            input.current?.select();
          }}
          onCloseAutoFocus={(event) => focusBack(event, () => goal.current && arrive(goal.current))}
        >
          <Dialog.Title className="sr-only">Find in output</Dialog.Title>
          <search className="q">
            <Search className="ic" aria-hidden />
            <input
              ref={input}
              role="combobox"
              aria-label="Find in output"
              aria-expanded={found.total > 0}
              aria-controls="seek-rows"
              aria-activedescendant={key && rowId(key)}
              aria-invalid={found.error ? true : undefined}
              aria-describedby="seek-said"
              placeholder="Find in all that was printed"
              spellCheck={false}
              autoComplete="off"
              value={query.text}
              onChange={(event) => setQuery({ ...query, text: event.target.value })}
            />
            {toggles.map(({ field, chord, name, icon }) => (
              <IconButton
                key={field}
                icon={icon}
                name={`${name} (${chord})`}
                on={query[field]}
                aria-pressed={query[field]}
                onClick={() => toggle(field)}
              />
            ))}
            <Seg
              name="Where"
              value={all ? "all" : "this"}
              options={[
                ...(here ? [{ value: "this" as const, label: "This terminal" }] : []),
                { value: "all" as const, label: "All terminals" },
              ]}
              onChange={(value) => {
                setAll(value === "all");
                input.current?.focus(); // the keys of the list go on
              }}
            />
          </search>
          <div id="seek-said" className={cx("seek-said", found.error && "bad")} role="status">
            {found.error || summary(found)}
          </div>
          <div className={cx("seek-body", found.stale && "stale")}>
            <Results
              found={found}
              text={query.text}
              chosen={key}
              onChoose={setPicked}
              onGo={(row) => void go(row)}
              onMore={() => finder.more()}
            />
            <Preview
              ref={preview}
              chosen={chosen}
              shown={shown}
              onGo={() => void go(chosen)}
              lost={lost !== "" && lost === key}
              onCopy={copyLine}
              copyKey={commands.mac ? "⌘C" : "Ctrl C"}
              copied={copied !== "" && copied === key}
            />
          </div>
          <div className="foot">
            <span>
              <Key>↑</Key> <Key>↓</Key> choose
            </span>
            <span>
              <Key>PgUp</Key> <Key>PgDn</Key> scroll the text
            </span>
            <span>
              <Key>↵</Key> go to the terminal
            </span>
            <span className="grow" />
            <span>
              <Key>Esc</Key> close
            </span>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export namespace activity {
	
	export enum EndedState {
	    Exited = "exited",
	    Failed = "failed",
	    LeftRunning = "left-running",
	    Stopped = "stopped",
	    Unknown = "unknown",
	}
	export interface Process {
	    pid: number;
	    parent: number;
	    // Go type: time
	    started: any;
	    id: string;
	    name: string;
	    command: string;
	    cpu: number;
	    memory: number;
	    ports: number[];
	    foreground: boolean;
	    depth: number;
	}
	export interface BlockRow {
	    block: string;
	    cpu: number;
	    memory: number;
	    dir: string;
	    processes: Process[];
	}
	export interface Ended {
	    id: string;
	    block: string;
	    name: string;
	    owner: string;
	    detail: string;
	    state: EndedState;
	    // Go type: time
	    at: any;
	    code: number;
	    pid: number;
	    // Go type: time
	    started: any;
	    process: string;
	}
	export interface WorkspaceRow {
	    id: string;
	    cpu: number;
	    memory: number;
	    blocks: BlockRow[];
	}
	export interface Host {
	    id: string;
	    name: string;
	    cpu: number;
	    memory: number;
	    workspaces: WorkspaceRow[];
	}
	
	export interface Snapshot {
	    seq: number;
	    // Go type: time
	    at: any;
	    cpu: number;
	    memory: number;
	    totalMemory: number;
	    hosts: Host[];
	    ended: Ended[];
	}

}

export namespace api {
	
	export interface Around {
	    block: string;
	    offset: number;
	    above: number;
	    below: number;
	}
	export interface Block {
	    block: string;
	}
	export interface Close {
	    blocks: string[];
	    workspace: string;
	    now: boolean;
	}
	export interface CloseItem {
	    block: string;
	    name: string;
	    kind: string;
	    detail: string;
	    effect: string;
	}
	export interface ClosePreview {
	    ask: boolean;
	    items: CloseItem[];
	}
	export interface Colours {
	    foreground: string;
	    background: string;
	    cursor: string;
	    palette: string[];
	}
	export interface EndProcess {
	    process: string;
	    force: boolean;
	}
	export interface Ensure {
	    block: string;
	    force: boolean;
	    revive: boolean;
	    cols: number;
	    rows: number;
	}
	export interface FindCommands {
	    text: string;
	}
	export interface Folder {
	    path: string;
	    dirs: string[];
	}
	export interface Notice {
	    id: string;
	    level: string;
	    title: string;
	    text: string;
	    block: string;
	    fix: string;
	}
	export interface Hello {
	    version: string;
	    platform: string;
	    home: string;
	    dataDir: string;
	    shell: string;
	    browser: boolean;
	    binary: string;
	    hostname: string;
	    run: string;
	    streamUrl: string;
	    streamToken: string;
	    notices: Notice[];
	}
	export interface HistoryCommand {
	    id: number;
	    text: string;
	    dir: string;
	    block: string;
	    exit: number;
	    // Go type: time
	    began: any;
	    took: number;
	}
	export interface HistoryCommands {
	    commands: HistoryCommand[];
	    total: number;
	}
	export interface ID {
	    id: string;
	}
	export interface Locate {
	    block: string;
	    offset: number;
	    shown: number;
	    lines: number;
	}
	export interface Located {
	    found: boolean;
	    below: number;
	}
	export interface LogLine {
	    offset: number;
	    text: string;
	}
	export interface LogLines {
	    lines: LogLine[];
	    at: number;
	}
	export interface Modes {
	    known: boolean;
	    canonical: boolean;
	    echo: boolean;
	    lineLimit: number;
	}
	export interface Move {
	    block: string;
	    place: workspace.Place;
	}
	export interface NewWorkspace {
	    name: string;
	    dir: string;
	}
	
	export interface OpenTerminal {
	    place: workspace.Place;
	    name: string;
	    dir: string;
	    like: string;
	    command: string[];
	    commandLine: string;
	    shell: string;
	    env: Record<string, string>;
	    unrecorded: boolean;
	    later: boolean;
	    cols: number;
	    rows: number;
	}
	export interface Order {
	    ids: string[];
	}
	export interface Path {
	    path: string;
	}
	export interface Recording {
	    block: string;
	    name: string;
	    from: number;
	    to: number;
	}
	export interface Rename {
	    id: string;
	    name: string;
	}
	export interface Row {
	    id: number;
	}
	export interface SaveText {
	    name: string;
	    text: string;
	}
	export interface Search {
	    block: string;
	    text: string;
	    regexp: boolean;
	    matchCase: boolean;
	    word: boolean;
	    before: number;
	}
	export interface SearchHit {
	    line: number;
	    before: string;
	    match: string;
	    after: string;
	}
	export interface SearchHits {
	    hits: SearchHit[];
	    next: number;
	    done: boolean;
	}
	export interface SetLayout {
	    workspace: string;
	    base: number;
	    layout: workspace.Layout;
	}
	export interface Setting {
	    path: string;
	    value: any;
	}
	export interface Signal {
	    block: string;
	    signal: string;
	}
	export interface TerminalState {
	    block: string;
	    title: string;
	    progress: number;
	    percent: number;
	}
	export interface Text {
	    block: string;
	    text: string;
	}

}

export namespace controller {
	
	export enum Reason {
	    Close = "close",
	    Failure = "failure",
	    Limit = "limit",
	    None = "",
	    Quit = "quit",
	    Replace = "replace",
	    Self = "self",
	    User = "user",
	}
	export enum State {
	    Exited = "exited",
	    Failed = "failed",
	    Idle = "idle",
	    Killing = "killing",
	    Reconnecting = "reconnecting",
	    Running = "running",
	    Starting = "starting",
	    Stopping = "stopping",
	}
	export interface Capabilities {
	    input: boolean;
	    resize: boolean;
	    signal: boolean;
	    interrupt: boolean;
	}
	export interface Proc {
	    pid: number;
	    // Go type: time
	    started: any;
	    name: string;
	}
	export interface Exit {
	    known: boolean;
	    code: number;
	    signal: string;
	    error: string;
	    note: string;
	    hungUp: string[];
	    leftRunning: Proc[];
	}
	export interface Identity {
	    uid: string;
	    stable: string;
	    name: string;
	}
	
	export interface Status {
	    block: string;
	    kind: string;
	    instance: number;
	    version: number;
	    state: State;
	    reason: Reason;
	    message: string;
	    pid: number;
	    process: string;
	    // Go type: time
	    since: any;
	    // Go type: time
	    started: any;
	    // Go type: time
	    ended: any;
	    exit: Exit;
	    identity: Identity;
	    can: Capabilities;
	    activity: turn.Activity;
	    closing: boolean;
	}

}

export namespace settings {
	
	export interface Problem {
	    line: number;
	    column: number;
	    key: string;
	    text: string;
	}
	export interface View {
	    treeWidth: number;
	    dockRows: number;
	    treeShown: boolean;
	    dockShown: boolean;
	}
	export interface Log {
	    perTerminalMiB: number;
	    totalGiB: number;
	}
	export interface Terminal {
	    fontFamily: string;
	    fontSize: number;
	    lineHeight: number;
	    scrollback: number;
	    cursorStyle: string;
	    cursorBlink: boolean;
	    copyOnSelect: boolean;
	    confirmMultilinePaste: boolean;
	    bell: string;
	    renderer: string;
	    shell: string;
	    closeOnExit: string;
	    shellIntegration: boolean;
	    commandHistory: boolean;
	    screenReader: boolean;
	    images: boolean;
	}
	export interface Settings {
	    theme: string;
	    terminal: Terminal;
	    log: Log;
	    keys: Record<string, string>;
	    view: View;
	}
	export interface Loaded {
	    settings: Settings;
	    problems: Problem[];
	    path: string;
	    defaults: Settings;
	}
	
	
	
	

}

export namespace supervisor {
	
	export enum CloseState {
	    Done = "done",
	    Ending = "ending",
	    Undoable = "undoable",
	    Undone = "undone",
	}
	export interface Closing {
	    id: string;
	    blocks: string[];
	    workspace: string;
	    state: CloseState;
	    // Go type: time
	    undoUntil: any;
	    result: string;
	}

}

export namespace turn {
	
	export enum Activity {
	    Idle = "idle",
	    None = "",
	    Stalled = "stalled",
	    Thinking = "thinking",
	    Tool = "tool",
	    WaitingForYou = "waiting-for-you",
	}

}

export namespace workspace {
	
	export enum CloseOnExit {
	    Always = "always",
	    Never = "never",
	    None = "",
	}
	export enum Kind {
	    Acp = "acp",
	    Appserver = "appserver",
	    Durablessh = "durablessh",
	    Persistent = "persistent",
	    Shell = "shell",
	    Subprocess = "subprocess",
	}
	export enum Side {
	    Above = "above",
	    Below = "below",
	    Center = "center",
	    Left = "left",
	    Right = "right",
	}
	export enum Split {
	    Column = "column",
	    None = "",
	    Row = "row",
	}
	export interface Block {
	    id: string;
	    workspace: string;
	    kind: Kind;
	    name: string;
	    dir: string;
	    command: string[];
	    commandLine: string;
	    shell: string;
	    env: Record<string, string>;
	    closeOnExit: CloseOnExit;
	    unrecorded: boolean;
	    // Go type: time
	    created: any;
	}
	export interface Pane {
	    id: string;
	    blocks: string[];
	    active: string;
	}
	export interface Floating {
	    pane: Pane;
	    x: number;
	    y: number;
	    width: number;
	    height: number;
	}
	export interface Node {
	    split: Split;
	    weight: number;
	    children: Node[];
	    pane?: Pane;
	}
	export interface Layout {
	    root?: Node;
	    floating: Floating[];
	    focus: string;
	    zoomed: string;
	}
	export interface Workspace {
	    id: string;
	    name: string;
	    dir: string;
	    layout: Layout;
	    layoutVersion: number;
	    unplaced: string[];
	}
	export interface Model {
	    version: number;
	    active: string;
	    workspaces: Workspace[];
	    blocks: Record<string, Block>;
	}
	
	
	export interface Place {
	    workspace: string;
	    pane: string;
	    side: Side;
	    index: number;
	}

}


// The order of what a person puts into a terminal: a paste has to be fetched first,
// and perhaps asked about; what is typed meanwhile comes behind it.

interface Place {
  ready: boolean;
  run: (() => void) | undefined;
}

/** Ends the wait for a place: what is done when its turn comes, if anything. */
export type Turn = (run?: () => void) => void;

export class InputOrder {
  private readonly send: (data: Uint8Array) => void;
  private readonly waiting: (Place | Uint8Array)[] = [];
  private running = false;

  constructor(send: (data: Uint8Array) => void) {
    this.send = send;
  }

  /** Sends what was typed when it is its turn. */
  typed(data: Uint8Array): void {
    if (this.running || this.waiting.length === 0) this.send(data);
    else this.waiting.push(data);
  }

  /** Takes a place; all that is typed later waits until the answer is called. Calling it twice does nothing more. */
  turn(): Turn {
    const place: Place = { ready: false, run: undefined };
    this.waiting.push(place);
    return (run) => {
      if (place.ready) return;
      Object.assign(place, { ready: true, run });
      this.goOn();
    };
  }

  private goOn(): void {
    if (this.running) return;
    this.running = true;
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      if (!("ready" in first)) this.send(first);
      else if (first.ready) first.run?.();
      else break;
      this.waiting.shift();
    }
    this.running = false;
  }
}

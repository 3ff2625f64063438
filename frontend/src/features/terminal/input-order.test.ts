import { describe, expect, it } from "vitest";
import { InputOrder } from "./input-order";

function setUp() {
  const sent: string[] = [];
  const order = new InputOrder((data) => sent.push(new TextDecoder().decode(data)));
  const type = (text: string) => order.typed(new TextEncoder().encode(text));
  return { order, sent, type };
}

describe("what is typed", () => {
  it("goes at once while nothing comes before it", () => {
    const { order, sent, type } = setUp();
    type("a");
    order.turn()(() => type("pasted"));
    type("b");
    expect(sent).toEqual(["a", "pasted", "b"]);
  });

  it("comes behind the pastes that were asked for before it, each in its place", () => {
    const { order, sent, type } = setUp();
    const first = order.turn();
    type("a");
    const second = order.turn();
    type("b");
    second(() => type("two"));
    expect(sent).toEqual([]);
    first(() => type("one"));
    first(() => type("again"));
    type("c");
    expect(sent).toEqual(["one", "a", "two", "b", "c"]);
  });

  it("comes where a paste was given up", () => {
    const { order, sent, type } = setUp();
    const turn = order.turn();
    type("a");
    turn();
    expect(sent).toEqual(["a"]);
  });
});

export { NeedsButton, NeedsYou } from "./NeedsYou";

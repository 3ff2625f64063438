export { SwarmTree } from "./SwarmTree";

// The little of the X protocol that xdotool does not speak: asking a window to
// close, as a window manager does (WM_DELETE_WINDOW).

import { once } from "node:events";
import { createConnection } from "node:net";

const opcode = { internAtom: 16, sendEvent: 25 };
const clientMessage = 33;
const replySize = 32;

/** Reads exact numbers of bytes from a socket. */
function reader(socket) {
  let have = Buffer.alloc(0);
  return async (count) => {
    while (have.length < count) {
      const [piece] = await once(socket, "data");
      have = Buffer.concat([have, piece]);
    }
    const taken = have.subarray(0, count);
    have = have.subarray(count);
    return taken;
  };
}

/** Asks a window on a display (":7") of this machine to close. It may refuse. */
export async function askToClose(display, window) {
  const socket = createConnection(`/tmp/.X11-unix/X${display.slice(1)}`);
  await once(socket, "connect");
  const read = reader(socket);
  const hello = Buffer.alloc(12);
  hello.write("l"); // little-endian
  hello.writeUInt16LE(11, 2); // the protocol's version
  socket.write(hello);
  const head = await read(8);
  const body = await read(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) throw new Error(`the display refused: ${body}`);

  const atom = async (name) => {
    const request = Buffer.alloc(8 + Math.ceil(name.length / 4) * 4);
    request[0] = opcode.internAtom;
    request.writeUInt16LE(request.length / 4, 2);
    request.writeUInt16LE(name.length, 4);
    request.write(name, 8);
    socket.write(request);
    return (await read(replySize)).readUInt32LE(8);
  };
  const [protocols, deletion] = [await atom("WM_PROTOCOLS"), await atom("WM_DELETE_WINDOW")];

  const request = Buffer.alloc(44);
  request[0] = opcode.sendEvent;
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(window, 4);
  request[12] = clientMessage;
  request[13] = 32; // the data is of 32-bit values
  request.writeUInt32LE(window, 16);
  request.writeUInt32LE(protocols, 20);
  request.writeUInt32LE(deletion, 24);
  socket.write(request);
  await atom("WM_PROTOCOLS"); // an answer to this says that the request was carried out
  socket.end();
}

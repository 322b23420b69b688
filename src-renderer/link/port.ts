import type { Port } from '@contract/rpc';

/** The message that the preload posts along with the port. */
const PORT_MESSAGE = 'deepdesk:port';

/** A browser port as the contract's Port. Delivery starts with the first listener. */
function wrapPort(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    listen: (receive) => {
      const onMessage = (event: MessageEvent<unknown>) => receive(event.data);
      port.addEventListener('message', onMessage);
      port.start();
      return () => port.removeEventListener('message', onMessage);
    },
    onClose: (closed) => {
      port.addEventListener('close', closed);
      return () => port.removeEventListener('close', closed);
    },
  };
}

/**
 * Calls `received` for each port from the preload (a reload of the main side sends another one). Accepts only messages from
 * this window. Returns its undo.
 */
export function awaitPort(target: Window, received: (port: Port) => void): () => void {
  const onMessage = (event: MessageEvent<unknown>) => {
    if (event.source !== target || event.data !== PORT_MESSAGE) return;
    const [port] = event.ports;
    if (port) received(wrapPort(port));
  };
  target.addEventListener('message', onMessage);
  return () => target.removeEventListener('message', onMessage);
}

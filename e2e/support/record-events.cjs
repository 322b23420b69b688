// Loaded by the main process before the app while a transcript is recorded. Also writes each event that goes to a window to
// a file beside this one, as one line of JSON.
const { appendFileSync } = process.getBuiltinModule('node:fs');
const { join } = process.getBuiltinModule('node:path');

const log = join(__dirname, 'events.jsonl');

require('electron').app.once('will-finish-launching', () => {
  const { port1 } = new (require('electron').MessageChannelMain)();
  const prototype = Object.getPrototypeOf(port1);
  const { postMessage } = prototype;
  /** @param {unknown} message @param {...unknown} others */
  prototype.postMessage = function (message, ...others) {
    const { kind, event } = /** @type {{ kind?: string, event?: unknown }} */ (Object(message));
    if (kind === 'event') appendFileSync(log, `${JSON.stringify(event)}\n`);
    return postMessage.call(this, message, ...others);
  };
});

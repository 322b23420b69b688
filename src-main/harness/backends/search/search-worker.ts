// A worker of the main process that searches files if ripgrep cannot start.
import { parentPort } from 'node:worker_threads';
import { systemCode } from '../failure';

import { IN_FLIGHT, type ScanJob, type ScanReport, STOPPED } from './scan/job';
import { scan } from './scan/scan';

/** Maximum blocks of output that the receiver has not taken yet: limits memory, and what it must process at once. */
const MAX_IN_FLIGHT = 4;
/** Milliseconds between two checks for a stopped job, while waiting for the receiver. */
const LOOK = 50;

const port = parentPort;
if (port === null) throw new Error('The search worker was not started as a worker.');

const report = (message: ScanReport, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

port.on('message', ({ target, place, shared }: ScanJob) => {
  const flags = new Int32Array(shared);
  const stopped = () => Atomics.load(flags, STOPPED) !== 0;
  try {
    const end = scan(target, place, {
      stopped,
      write: (bytes) => {
        for (
          let waiting = Atomics.load(flags, IN_FLIGHT);
          waiting >= MAX_IN_FLIGHT && !stopped();
          waiting = Atomics.load(flags, IN_FLIGHT)
        )
          Atomics.wait(flags, IN_FLIGHT, waiting, LOOK);
        if (stopped()) return false;
        Atomics.add(flags, IN_FLIGHT, 1);
        const own = new Uint8Array(bytes);
        report({ kind: 'output', bytes: own }, [own.buffer]);
        return true;
      },
    });
    report({ kind: 'end', ...end });
  } catch (thrown) {
    // A pattern may turn out too large only in use. Other errors are bugs, which end the worker.
    if (!(thrown instanceof SyntaxError) && systemCode(thrown) === '') throw thrown;
    report({ kind: 'failed', code: systemCode(thrown) });
  }
});

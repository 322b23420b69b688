// What a measurement notes about where it ran, so that its figures can be compared.
import { cpus, loadavg, release, type } from 'node:os';
import { run } from '../process.mjs';

export async function machineFacts() {
  const commit = (await run('git', ['rev-parse', '--short=10', 'HEAD'])).stdout.trim();
  const [cpu] = cpus();
  return {
    commit,
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${type()} ${release()}, Node ${process.versions.node}`,
    load: (loadavg()[0] ?? 0).toFixed(1),
  };
}

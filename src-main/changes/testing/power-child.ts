// The power-loss test kills this process once the engine has answered what it keeps, and starts it on the same folders again.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from '../engine';

const [, , store = '', root = ''] = process.argv;
const engine = new Engine({ store, budget: 1e9, persist: true });
await engine.scan(root, { waitMs: 60_000 });
const written = { named: ['written'], claim: 'call', waitMs: 60_000 };
await engine.scan(root, written);
writeFileSync(join(root, 'written'), 'by the agent\n');
const released = await engine.release(root, 'call');
rmSync(join(root, 'removed'));
const { changes } = await engine.scan(root, {});
const [state] = await engine.states(root, ['stays']);
const kept = await engine.keep(Buffer.from('from elsewhere\n'));
process.stdout.write(JSON.stringify({ changes: [...released, ...changes], state, kept }), () =>
  process.kill(process.pid, 'SIGKILL'),
);

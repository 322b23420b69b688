import { readdirSync, readFileSync } from 'node:fs';
import type { TerminalInfo } from '../../contract/app';
import type { TerminalId } from '../../contract/ids';
import type { TerminalStore } from '../store';

/** Processes whose command line contains `marker`. A test puts a unique one into what it starts. */
export function alive(marker: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // The command line of the shell that starts it contains the marker too.
      return line.startsWith('sleep') && line.includes(marker) ? [line] : [];
    } catch {
      return [];
    }
  });
}

/** A unique argument for `sleep`, to find the process by. It outlasts every test, so only a kill ends it in time. */
export const uniqueSleep = () => `777.${Math.floor(Math.random() * 1e9)}`;

/** A store like the real one, in memory. */
export function memoryStore() {
  const infos = new Map<TerminalId, TerminalInfo>();
  const outputs = new Map<TerminalId, string>();
  const store: TerminalStore = {
    save: (info) => infos.set(info.id, info),
    clean: (_id, text) => text,
    append: (id, text) => outputs.set(id, (outputs.get(id) ?? '') + text),
    list: () => [...infos.values()],
    output: (id) => ({ offset: 0, data: outputs.get(id) ?? '' }),
    remove: (id) => {
      infos.delete(id);
      outputs.delete(id);
    },
  };
  return { store, infos, outputs };
}

import { FileStamps } from '../../project/changes/file-stamps';
import type { LiveThread } from '../../threads/live-thread';
import { makeRun } from './prepare-run';
import type { ReadyRun } from './ready-runs';
import { stampOf } from './run-facts';
import type { RunServices, RunSetting } from './run-services';
import { sourcesOf } from './run-sources';

/** Prepares the thread's run for the next message. Null if none is possible or a change could go unnoticed. */
export async function prepareNextRun(
  services: RunServices,
  setting: RunSetting,
  live: LiveThread,
  signal: AbortSignal,
): Promise<ReadyRun | null> {
  const { projects, mcp, skillFolders, personalAgents, outputs, attachments } = services;
  // Checked first, so that changes during the preparation are noticed.
  const project = await projects.present(live.state.thread.projectId);
  const stamp = stampOf(services, live);
  // Nothing tells of changes on another computer.
  if (!project.ok || project.value.remote !== undefined || stamp === null || signal.aborted) return null;
  const own = [outputs.of(live.id), attachments.of(live.id)];
  const places = {
    project: project.value,
    skills: skillFolders,
    agents: personalAgents,
    servers: mcp.filesOf(project.value),
  };
  const read = await FileStamps.take(await sourcesOf({ ...places, own: [] }));
  if (!read.isSettled || signal.aborted) return null;
  const hasServers = !(await mcp.hasNone(project.value));
  const made = await makeRun(services, setting, live, signal, true);
  if (!made.ok || signal.aborted) return null;
  const { run, mcpTools } = made.value;
  // The first run creates the thread's own folders.
  const files = await FileStamps.take(await sourcesOf({ ...places, own }));
  if (!(await read.areSame())) return null;
  return {
    run,
    stamp,
    files,
    hasSameTools: async (within) => {
      if (!hasServers) return true;
      const now = await mcp.toolsFor(project.value, within);
      return (
        now.length === mcpTools.length &&
        now.every((one, index) => {
          const before = mcpTools[index];
          return (
            one.tool.name === before?.tool.name &&
            one.scope === before.scope &&
            one.from.every((part, at) => part === before.from[at])
          );
        })
      );
    },
  };
}

import { join } from 'node:path';
import type { Reason } from '../../../contract/shared/reasons';
import { APP_SKILLS, PERSONAL_AGENTS, PERSONAL_SKILLS, type SkillFolders } from '../../project/mounts';

/** Makes warnings name files where the person finds them: the agent has the person's own under paths that are not on the disk. */
export function onDisk(
  warn: (why: Reason) => void,
  { skills, agents }: { skills: SkillFolders; agents: string },
): (why: Reason) => void {
  const folders = [
    [`${APP_SKILLS}/`, skills.app],
    [`${PERSONAL_SKILLS}/`, skills.personal],
    [`${PERSONAL_AGENTS}/`, agents],
  ] as const;
  return (why) => {
    const { path } = why.values ?? {};
    const [mount, folder] =
      folders.find(([start]) => typeof path === 'string' && path.startsWith(start)) ?? [];
    if (mount === undefined || folder == null || typeof path !== 'string') return warn(why);
    warn({ ...why, values: { ...why.values, path: join(folder, path.slice(mount.length)) } });
  };
}

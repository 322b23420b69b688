import type { ComposerCommand } from '@contract/commands/composer';
import type { Key, Translate } from '../../i18n';

/** The app's own skills in the person's words: what their files say of them is written for models. */
export const OWN_SKILLS = {
  'commit-message': 'chat.skillCommitMessage',
  'project-guide': 'chat.skillProjectGuide',
} as const satisfies Record<string, Key>;

const isOwn = (name: string): name is keyof typeof OWN_SKILLS => Object.hasOwn(OWN_SKILLS, name);

/** What a command is for, in the person's language where it is the app's; servers and files say it in their own. */
export function aboutCommand(t: Translate, command: ComposerCommand): string {
  if (command.kind === 'action') return t('chat.compactAbout');
  return command.kind === 'skill' && command.source === 'app' && isOwn(command.name)
    ? t(OWN_SKILLS[command.name])
    : command.description;
}

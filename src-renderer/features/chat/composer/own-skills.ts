import type { ComposerCommand } from '@contract/commands/composer';
import type { Key, Translate } from '../../../i18n';

/** The app's own skills in the person's language: the texts in their files are for models. */
export const OWN_SKILLS = {
  'commit-message': 'chat.skillCommitMessage',
  'project-guide': 'chat.skillProjectGuide',
} as const satisfies Record<string, Key>;

const isOwn = (name: string): name is keyof typeof OWN_SKILLS => Object.hasOwn(OWN_SKILLS, name);

/**
 * A command's description, in the person's language if it is the app's own. Servers and files provide theirs in their own
 * language.
 */
export function aboutCommand(t: Translate, command: ComposerCommand): string {
  if (command.kind === 'action') return t('chat.compactAbout');
  return command.kind === 'skill' && command.source === 'app' && isOwn(command.name)
    ? t(OWN_SKILLS[command.name])
    : command.description;
}

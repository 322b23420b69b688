import { providerName } from '../../../src-renderer/i18n/errors';
import type { Project, ProviderId } from '../../contract/app';
import type { ApprovalMode, RuleDraft } from '../../contract/control';
import { fail, ok, type Result } from '../../contract/result';
import { ruleText } from '../../contract/rule-text';
import type { Storage } from '../../storage';
import { CONFIRM_STRINGS, type ConfirmStrings, type Question } from './confirm-strings';
import type { ShellServices } from './desktop-services';
import { type MainLanguage, mainLanguage } from './native-strings';

/** A server in a confirmation, as shown. */
export interface ServerSetup {
  transport: 'stdio' | 'http' | 'sse';
  command: string;
  args: readonly string[];
  cwd: string;
  url: string;
  /** Names of environment variables or headers. */
  names: readonly string[];
}

/** Characters of one text that a dialog shows. */
const MAX_SHOWN = 1_500;

/**
 * Asks the person in a native dialog about changes that would give an attacker more than the window has: a compromised
 * renderer can send any command but cannot press a button in such a dialog. Stricter settings need no dialog. Each method
 * fails with `cancelled` if the person declines, and with `unsupported` if there is nobody to ask.
 */
export class Confirmations {
  private isAsking = false;

  constructor(
    private readonly shell: Pick<ShellServices, 'confirm' | 'locale'>,
    private readonly storage: Storage,
  ) {}

  mode(project: Project, to: ApprovalMode): Promise<Result<object>> {
    const from = project.mode ?? 'ask-risky';
    return this.ask((strings) =>
      strings.mode(shown(project.name, strings), shown(project.folder, strings), from, to),
    );
  }

  noSandbox({ name, folder }: Project): Promise<Result<object>> {
    return this.ask((strings) => strings.noSandbox(shown(name, strings), shown(folder, strings)));
  }

  showSecrets({ name, folder }: Project): Promise<Result<object>> {
    return this.ask((strings) => strings.showSecrets(shown(name, strings), shown(folder, strings)));
  }

  server(name: string, setup: ServerSetup): Promise<Result<object>> {
    const { transport, command, args, cwd, url } = setup;
    return this.ask((strings) => {
      const names = shown(setup.names.join(', '), strings);
      if (transport !== 'stdio') {
        const more = names === '' ? [] : [strings.headers(names)];
        return strings.address(shown(name, strings), shown(url, strings), more);
      }
      // One argument per line, so that none can imitate another.
      const line = shownLines([command, ...args.map((arg) => `  ${arg}`)], strings);
      const more = [
        ...(cwd === '' ? [] : [strings.workingFolder(shown(cwd, strings))]),
        ...(names === '' ? [] : [strings.variables(names)]),
      ];
      return strings.program(shown(name, strings), line, more);
    });
  }

  baseUrl(provider: ProviderId, url: string, before: string, withKey: boolean): Promise<Result<object>> {
    return this.ask((strings, language) =>
      strings.baseUrl(providerName(language, provider), shown(url, strings), shown(before, strings), withKey),
    );
  }

  rule({ match, scope }: RuleDraft, place: string): Promise<Result<object>> {
    return this.ask((strings) => {
      const name = shown(place, strings);
      const where =
        scope.kind === 'person'
          ? strings.everywhere
          : scope.kind === 'project'
            ? strings.inProject(name)
            : strings.inThread(name);
      const text = shown(ruleText(match), strings);
      return match.kind === 'host' ? strings.host(text, where) : strings.rule(text, where);
    });
  }

  wipe(folder: string): Promise<Result<object>> {
    return this.ask((strings) => strings.wipe(shown(folder, strings)));
  }

  private async ask(
    questionIn: (strings: ConfirmStrings, language: MainLanguage) => Question,
  ): Promise<Result<object>> {
    const { confirm } = this.shell;
    if (confirm === undefined) {
      return fail('unsupported', 'consent_in_app_only');
    }
    // A renderer could flood the person with dialogs until one is accepted by mistake.
    if (this.isAsking) return fail('conflict', 'dialog_open_already');
    this.isAsking = true;
    try {
      const language = mainLanguage(this.storage.settings.read().language, this.shell.locale?.());
      return (await confirm(questionIn(CONFIRM_STRINGS[language], language)))
        ? ok({})
        : fail('cancelled', 'you_cancelled');
    } finally {
      this.isAsking = false;
    }
  }
}

/** Shows line ends, control characters, and characters that hide or reorder others by their code. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u00a0\u1680\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;
const visible = (text: string): string =>
  text.replace(INVISIBLE, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);

function shown(text: string, strings: ConfirmStrings): string {
  const clear = visible(text);
  return clear.length <= MAX_SHOWN
    ? clear
    : `${clear.slice(0, MAX_SHOWN)}${strings.more(clear.length - MAX_SHOWN)}`;
}

/** The start and the end of a long command line: either may hold what matters. */
function shownLines(texts: readonly string[], strings: ConfirmStrings): string {
  const whole = texts.map(visible).join('\n');
  if (whole.length <= 2 * MAX_SHOWN) return whole;
  const left = whole.length - 2 * MAX_SHOWN;
  return `${whole.slice(0, MAX_SHOWN)}\n${strings.more(left)}\n${whole.slice(-MAX_SHOWN)}`;
}

/** Whether a rule allows so much that a native dialog must confirm it: more than one project, or more than one command. */
export const needsConfirmation = ({ effect, match, scope }: RuleDraft): boolean =>
  effect === 'allow' &&
  (scope.kind === 'person' ||
    match.kind === 'host' ||
    (scope.kind === 'project' &&
      (match.kind === 'tool' || (match.kind === 'path' && match.glob.includes('**')))));

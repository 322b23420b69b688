/** Variables whose value is a command: `GIT_EDITOR`, `PAGER`, `GIT_SSH_COMMAND`. */
const HOLDS_COMMAND =
  /(EDITOR|VISUAL|PAGER|BROWSER|ASKPASS|COMMAND|CMD|GIT_SSH|RSH|EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|WRAPPER|RUNNER|PREEXEC|OPENER|FCEDIT|RUSTC|CONFIG_VALUE_\d+)$|^(SHELL|CC|CXX|CPP|LD|AR|FC|PYTHON|PS[0-4]|ENV|BASH_ENV)$/;
/** Variables whose value is options of a program, some of which take a command. */
const HOLDS_OPTIONS =
  /^(G?MAKEFLAGS|GNUMAKEFLAGS|TAR_OPTIONS|PERL5OPT|RUBYOPT|LESS|FZF_DEFAULT_(OPTS|COMMAND)|ERL_\w*FLAGS)$/;
/** Settings of npm and the like that name a program to run, also by the abbreviations that they accept. */
export const SETTING_OF_NPM = /^(script-s\w*|shell|editor|viewer?|git|browser|node-gyp|onload-script)$/i;
const NPM_VARIABLE = /^(?:npm|pnpm|yarn)_config_(\w+)$/i;

/** The commands in the value of a variable that a program may run. */
export function heldBy(name: string, value: string): string[] {
  const [, npm] = NPM_VARIABLE.exec(name) ?? [];
  // `LESSOPEN='|command %s'`
  if (HOLDS_COMMAND.test(name) || SETTING_OF_NPM.test(npm?.replaceAll('_', '-') ?? ''))
    return [value.replace(/^\|+-?/, '').replace(/^!/, ''), ...substitutions(value)];
  // `'core.pager=x' 'alias.y'='!x'`
  if (name === 'GIT_CONFIG_PARAMETERS')
    return [...value.replaceAll("'='", '=').matchAll(/'[^'=]*=!?([^']*)'/g)].map(([, own = '']) => own);
  if (!HOLDS_OPTIONS.test(name)) return [];
  const options = value.replaceAll('\\', '');
  return [options, ...options.split(/[=:;(]|\s-\w+\s?/)].map((line) => line.trim());
}

/** `PS1='$(command)'` */
const substitutions = (value: string): string[] =>
  [...value.matchAll(/(?:\$\(|`)([^()`]{1,1000})[)`]/g)].map(([, line = '']) => line);

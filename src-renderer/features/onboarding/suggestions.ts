import type { Key, Translate } from '../../i18n';

/** A suggested prompt, in words. */
export interface Suggestion {
  title: string;
  prompt: string;
}

type Titles = Key & `onboarding.${string}Title`;
type Prompts = Key & `onboarding.${string}Prompt`;

/** What suggestions need to know of the top level of a folder. */
export interface FolderFacts {
  isSample: boolean;
  /** A command that runs its tests; null: none is known. */
  tests: string | null;
  /** The name of its text to read first, of a table, and whether it holds code. */
  readme: string | null;
  table: string | null;
  hasCode: boolean;
  isEmpty: boolean;
}

/** A file that says how the tests of a project run. */
const TESTS: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/u, 'npm test'],
  [/^cargo\.toml$/iu, 'cargo test'],
  [/^go\.mod$/u, 'go test ./...'],
  [/^(?:pyproject\.toml|pytest\.ini|tox\.ini|setup\.py)$/u, 'python3 -m pytest'],
  [/^pom\.xml$/u, 'mvn test'],
  [/^build\.gradle(?:\.kts)?$/u, 'gradle test'],
  [/^makefile$/iu, 'make test'],
];
const CODE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|c|cc|cpp|h|cs|swift|sh)$/iu;

/** The facts about a folder with these names at its top. A name of a directory ends in a slash. */
export function factsOf(names: readonly string[], isSample: boolean): FolderFacts {
  const find = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? null;
  const tests = TESTS.find(([pattern]) => find(pattern) !== null)?.[1] ?? null;
  return {
    isSample,
    tests,
    readme: find(/^readme(?:\.\w+)?$/iu) ?? find(/\.md$/iu),
    table: find(/\.(?:csv|tsv|xlsx)$/iu),
    hasCode: tests !== null || find(CODE) !== null || find(/^(?:src|lib|app)\/$/u) !== null,
    isEmpty: names.length === 0,
  };
}

/** Prompts that fit the folder. With `offline` they are requests that the offline assistant understands. */
export function suggestionsFor(facts: FolderFacts, offline: boolean, t: Translate): Suggestion[] {
  const plain = (name: Titles, prompt: Prompts): Suggestion => ({
    title: (t as (key: Key) => string)(name),
    prompt: (t as (key: Key) => string)(prompt),
  });
  const list = plain('onboarding.listTitle', 'onboarding.listPrompt');
  const remember = plain(
    'onboarding.rememberTitle',
    facts.isSample ? 'onboarding.rememberPrompt' : 'onboarding.rememberStylePrompt',
  );
  if (offline && facts.isSample) {
    return [
      plain('onboarding.fixTitle', 'onboarding.fixPrompt'),
      plain('onboarding.testTitle', 'onboarding.testPrompt'),
      list,
      remember,
    ];
  }
  const about = offline ? offlineAbout(facts, t) : modelAbout(facts, t, plain);
  return offline ? [...about, list, remember].slice(0, MAX_SUGGESTIONS) : about;
}

const MAX_SUGGESTIONS = 4;

function offlineAbout({ readme, tests, isEmpty }: FolderFacts, t: Translate): Suggestion[] {
  const found: Suggestion[] = [];
  if (isEmpty) found.push({ title: t('onboarding.createTitle'), prompt: t('onboarding.createPrompt') });
  if (readme !== null) {
    const file = readme;
    found.push({ title: t('onboarding.readTitle', { file }), prompt: t('onboarding.readPrompt', { file }) });
  }
  if (tests !== null)
    found.push({ title: t('onboarding.runTitle'), prompt: t('onboarding.runPrompt', { command: tests }) });
  return found;
}

function modelAbout(
  facts: FolderFacts,
  t: Translate,
  plain: (name: Titles, prompt: Prompts) => Suggestion,
): Suggestion[] {
  if (facts.isSample) {
    return [
      plain('onboarding.fixSampleTitle', 'onboarding.fixSamplePrompt'),
      plain('onboarding.explainTitle', 'onboarding.explainPrompt'),
    ];
  }
  if (facts.isEmpty) return [plain('onboarding.beginTitle', 'onboarding.beginPrompt')];
  const found = [plain('onboarding.explainTitle', 'onboarding.explainPrompt')];
  if (facts.tests !== null) found.push(plain('onboarding.testsTitle', 'onboarding.testsPrompt'));
  if (facts.table !== null) {
    const file = facts.table;
    found.push({
      title: t('onboarding.tableTitle', { file }),
      prompt: t('onboarding.tablePrompt', { file }),
    });
  }
  if (facts.hasCode && facts.readme !== null)
    found.push(plain('onboarding.tidyTitle', 'onboarding.tidyPrompt'));
  if (!facts.hasCode && facts.table === null)
    found.push(plain('onboarding.sumUpTitle', 'onboarding.sumUpPrompt'));
  return found.slice(0, MAX_SUGGESTIONS);
}

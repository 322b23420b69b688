import { because, type Reason, Reasons } from '@contract/shared/reasons';
import { expect, it } from 'vitest';
import { en } from './en';
import { english, englishForModel } from './english';
import { reasonWords } from './reason-words';
import { zh } from './zh';

const chinese = reasonWords('zh', zh.reasons);

it.each<[Reason[], string, string]>([
  [
    [because('part', { text: 'rm -r build', why: because('deletes_files') })],
    'rm -r build: it deletes files.',
    'rm -r build：它会删除文件。',
  ],
  [
    [because('part', { text: 'curl a', why: because('uses_network') }), because('wants_outside')],
    'curl a: it uses the network. The agent wants to run it outside the sandbox.',
    'curl a：它会访问网络。智能体要在沙箱之外运行它。',
  ],
  [
    [because('not_understood', { why: because('pattern') })],
    'Deepdesk could not parse it: it contains a glob.',
    '无法理解为命令：它展开通配符。',
  ],
  [[because('discards_uncommitted')], 'It discards uncommitted changes.', '它会丢弃未提交的更改。'],
  [
    [because('no_sandbox_for_it', { why: because('bubblewrap_missing') })],
    'There is no sandbox for it: bubblewrap is not installed. On Debian and Ubuntu: sudo apt install bubblewrap.',
    '没有可用的沙箱：未安装 bubblewrap。在 Debian 和 Ubuntu 上：sudo apt install bubblewrap。',
  ],
  [
    [because('deletes_many', { count: 1_000 })],
    'It deletes or moves more than 1,000 paths.',
    '它会删除或移动超过 1,000 个文件或文件夹。',
  ],
])('has a text for %j in both languages', (reasons, inEnglish, inChinese) => {
  expect([english.sentences(reasons), chinese.sentences(reasons)]).toEqual([inEnglish, inChinese]);
});

it('begins with a capital letter where it stands alone, but keeps the case of names', () => {
  const alone = [because('deletes_files'), because('runs_program', { name: 'sh' })];
  expect(alone.map((reason) => english.heading(reason))).toEqual(['It deletes files', 'sh runs a program']);
  expect(alone.map((reason) => chinese.heading(reason))).toEqual(['它会删除文件', 'sh 会运行程序']);
  expect(english.sentences(alone)).toBe('It deletes files. sh runs a program.');
});

it('speaks to the person in the window, and of the person to the model', () => {
  const toModel = /\b(the|a) person\b|\btell the\b|[请让问]用户/i;
  const entries = [...Object.entries(en.reasons), ...Object.entries(zh.reasons)];
  expect(entries.filter(([, text]) => toModel.test(JSON.stringify(text)))).toEqual([]);
  const refused = [because('runs_unseen'), because('do_otherwise')];
  expect([english, englishForModel, chinese].map((words) => words.sentences(refused))).toEqual([
    'It would run downloaded or decoded code that nobody has seen. It did not run. Only you can do this, for example in a terminal.',
    'It would run downloaded or decoded code that nobody has seen. It did not run, and it will not run in another form. Do it another way, or tell the person what to run.',
    '它会运行下载或解码出的、无人看过的内容。没有执行。只有你自己能这样做，例如在终端中。',
  ]);
});

it('shows a sentence from an older version as it was written, in any language', () => {
  const kept = Reasons.parse('npm test: it runs scripts of the project');
  expect([english.sentences(kept), chinese.sentences(kept)]).toEqual([
    'npm test: it runs scripts of the project',
    'npm test: it runs scripts of the project',
  ]);
});

it('shows the code of a reason that only a newer version knows', () => {
  const [reason] = Reasons.parse([{ code: 'reads_minds', values: {} }]);
  expect(reason && english.clause(reason)).toBe('reads_minds');
});

it('uses only plain characters of the language in every text', () => {
  const latin = Object.entries(zh.reasons).filter(([, text]) => !/\p{Script=Han}/u.test(text));
  expect(latin.map(([code]) => code)).toEqual(['form_field', 'prose', 'external', 'part']);
  expect(Object.values(en.reasons).filter((text) => /\p{Script=Han}/u.test(text))).toEqual([]);
});

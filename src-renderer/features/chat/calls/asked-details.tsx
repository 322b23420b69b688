import type { ToolCall } from '@contract/conversation';
import { type Answer, Questions } from '@contract/shared/questions';
import { useT } from '../../../i18n';
import { ExactText } from '../../../ui';

/** The questions of a call and the person's answers. */
export const AskedDetails = ({ call }: { call: ToolCall }) => {
  const t = useT();
  const questions = Questions.safeParse(call.args.questions).data ?? [];
  const answers = answersIn(call.result);
  return (
    <div className="mt-1 mb-2 ml-6 overflow-hidden rounded-card border border-line bg-sunken px-3 py-2 select-text">
      <dl className="flex max-h-72 flex-col gap-2 overflow-auto">
        {questions.map(({ question }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the questions of a call never change
          <div key={index}>
            <dt className="text-fg-2">
              <ExactText text={question} />
            </dt>
            <dd className="font-medium break-words whitespace-pre-wrap">
              <ExactText text={wordsOf(answers?.[index])} />
            </dd>
          </div>
        ))}
      </dl>
      {answers === undefined && (
        <p className="break-words whitespace-pre-wrap text-fg-3">
          <ExactText text={call.result ?? t('questions.unanswered')} />
        </p>
      )}
    </div>
  );
};

const wordsOf = (answer: Partial<Answer> | undefined): string =>
  [answer?.choices?.join(', ') ?? '', answer?.text ?? ''].filter((one) => one !== '').join('\n');

/** Undefined if the result is no list of answers, for example if the person declined. */
function answersIn(result: string | undefined): Partial<Answer>[] | undefined {
  try {
    const parsed: unknown = JSON.parse(result ?? '');
    const { answers } = parsed as { answers?: unknown };
    return Array.isArray(answers) ? (answers as Partial<Answer>[]) : undefined;
  } catch {
    return undefined;
  }
}

import type { Notice } from '@contract/conversation';
import type { ErrorCode } from '@contract/errors';
import type { ProjectId, ThreadId } from '@contract/ids';
import type { AppError } from '@contract/result';
import {
  CircleDollarSign,
  CircleStop,
  FolderSearch,
  KeyRound,
  type LucideIcon,
  Play,
  RotateCw,
  SlidersHorizontal,
  TriangleAlert,
} from 'lucide-react';
import { useErrorWords, useT } from '../../i18n';
import { call, openRoutine, openSettings, type SettingsSection, toast, useThreadPart } from '../../link';
import { Button, ErrorNote, useBusy, useFocusBack } from '../../ui';

interface NoticeNoteProps {
  threadId: ThreadId;
  error: AppError;
  actions: Notice['actions'];
  /** It is the last item in the thread and nothing runs, so its actions still apply. */
  current: boolean;
  /** The project, if its folder is missing: nothing can continue until it is back. */
  missing?: ProjectId | undefined;
}

const CALM: ReadonlySet<Notice['actions'][number]> = new Set(['continue', 'ceiling', 'price', 'budget']);

const GOES_ON: ReadonlySet<Notice['actions'][number]> = new Set(['continue', 'retry']);

/** The pages of the settings that errors send the person to. */
const PAGES = {
  hooks_waiting: 'hooks',
  instructions_name_unknown_tool: 'instructions',
} as const satisfies Partial<Record<ErrorCode, SettingsSection>>;

const pageOf = (code: string) => Object.entries(PAGES).find(([one]) => one === code)?.[1];

const PageButton = ({ page }: { page: (typeof PAGES)[keyof typeof PAGES] }) => {
  const t = useT();
  return (
    <Button icon={<SlidersHorizontal size={14} />} onClick={() => openSettings(page)}>
      {t(`chat.page_${page}`)}
    </Button>
  );
};

interface QuietNoticeProps {
  icon?: LucideIcon;
  message: string;
  detail: string | undefined;
}

/** A failure of an earlier turn, or what the person did themselves. */
const QuietNotice = ({ icon: Icon = TriangleAlert, message, detail }: QuietNoticeProps) => (
  <p title={detail} className="flex gap-2 text-small text-fg-3">
    <Icon aria-hidden size={14} className="mt-0.5 shrink-0" />
    <span className="min-w-0 break-words">{message.split('\n', 1)[0]}</span>
  </p>
);

/** A message from Deepdesk in the conversation, with actions. */
export const NoticeNote = ({ threadId, error, actions, current, missing }: NoticeNoteProps) => {
  const t = useT();
  const errorWords = useErrorWords();
  const routineId = useThreadPart(threadId, ({ thread }) => thread.routine?.id) ?? null;
  const [busy, during] = useBusy();
  const keepsFocus = useFocusBack(current);
  const retry = async () => {
    const result = await during(call('thread.retry', { threadId }));
    if (!result.ok) toast(result.error.message);
  };
  const attach = async (projectId: ProjectId) => {
    const result = await call('project.reattach', { projectId });
    if (!result.ok) toast(result.error.message);
  };
  const { message } = errorWords(error);
  // What was done about it follows in the conversation.
  if (!current && actions.length > 0) return <QuietNotice message={message} detail={error.detail} />;
  if (error.code === 'stopped_by_person')
    return <QuietNotice icon={CircleStop} message={message} detail={undefined} />;
  const waits = current && missing !== undefined && actions.some((action) => GOES_ON.has(action));
  const page = pageOf(error.code);
  const buttons = {
    retry: {
      label: t('chat.retry'),
      icon: <RotateCw size={14} />,
      run: () => void retry(),
    },
    continue: {
      label: t('chat.continue'),
      icon: <Play size={14} />,
      run: () => void retry(),
    },
    key: {
      label: t('chat.key'),
      icon: <KeyRound size={14} />,
      run: () => openSettings('models'),
    },
    ceiling: {
      label: t('chat.ceiling'),
      icon: <CircleDollarSign size={14} />,
      run: () => openSettings('spending'),
    },
    price: {
      label: t('chat.price'),
      icon: <CircleDollarSign size={14} />,
      run: () => openSettings('spending'),
    },
    budget: {
      label: t('chat.budget'),
      icon: <CircleDollarSign size={14} />,
      run: () => openRoutine({ routineId, field: 'budget' }),
    },
  };
  const note = (
    <ErrorNote
      // A notice that only informs, or can be fixed here, is not a failure.
      tone={actions.length === 0 || actions.some((one) => CALM.has(one)) ? 'ask' : 'deny'}
      message={waits && error.kind !== 'folder_gone' ? `${message}\n${t('chat.waitsForFolder')}` : message}
      detail={error.detail}
      actions={
        (current && actions.length > 0) || page !== undefined
          ? [
              ...(page === undefined ? [] : [<PageButton key="page" page={page} />]),
              ...actions.map((action) => (
                <Button
                  key={action}
                  busy={busy && GOES_ON.has(action)}
                  disabled={waits && GOES_ON.has(action)}
                  icon={buttons[action].icon}
                  onClick={buttons[action].run}
                >
                  {buttons[action].label}
                </Button>
              )),
              ...(waits
                ? [
                    <Button
                      key="attach"
                      icon={<FolderSearch size={14} />}
                      onClick={() => void attach(missing)}
                    >
                      {t('chat.attachFolder')}
                    </Button>,
                  ]
                : []),
            ]
          : undefined
      }
    />
  );
  return <div {...keepsFocus}>{note}</div>;
};

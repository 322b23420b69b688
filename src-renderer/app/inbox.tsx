import type { ApprovalId, ThreadId } from '@contract/ids';
import type { Platform } from '../features/actions';
import { ApprovalCard, focusApproval, headingOf } from '../features/approvals';
import { InboxPanel } from '../features/inbox';
import { useT } from '../i18n';
import { openThread } from '../link';
import { Drawer } from '../ui';
import { Part } from './part';
import { useUi } from './ui-store';

const close = () => useUi.setState({ inbox: null });

/** Every pending approval, over the window, with the same cards as in the conversations. */
export const Inbox = ({ platform }: { platform: Platform }) => {
  const t = useT();
  const inbox = useUi((ui) => ui.inbox);
  return (
    <Drawer label={t('inbox.title')} side="right" wide open={inbox !== null} onClose={close}>
      <Part>
        <InboxPanel
          key={inbox?.approvalId ?? ''}
          approvalId={inbox?.approvalId ?? null}
          headingOf={(approval, mount) => headingOf(approval, mount, t)}
          renderCard={(approval, mount, moves) => (
            <ApprovalCard
              key={approval.id}
              approval={approval}
              mount={mount}
              mac={platform === 'darwin'}
              keepsEscape
              {...moves}
            />
          )}
          onShowThread={show}
          onClose={close}
        />
      </Part>
    </Drawer>
  );
};

/** Milliseconds allowed for a thread to appear. */
const APPEAR_TIMEOUT = 5_000;

/** Scrolls to the call in its thread as soon as the drawer is closed and the card exists. */
function show(threadId: ThreadId, approvalId: ApprovalId): void {
  close();
  openThread(threadId);
  const until = performance.now() + APPEAR_TIMEOUT;
  const look = () => {
    const isOpen = document.querySelector('[data-inbox]') !== null;
    if ((!isOpen && focusApproval(approvalId)) || performance.now() > until) return;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

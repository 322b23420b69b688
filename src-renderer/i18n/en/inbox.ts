export const inbox = {
  title: 'Waiting for you',
  open: 'Waiting for you',
  openCount: { one: '{count} pending approval', other: '{count} pending approvals' },
  count: { one: '{count} pending', other: '{count} pending' },
  empty: 'Pending approvals from all projects and threads appear here.',
  where: '{project} › {thread}',
  asked: 'asked {ago}',
  subAgent: 'sub-agent {agent}',
  showThread: 'Show in thread',
  awaitsInput: 'A command is waiting for your answer',
  showTerminal: 'Show terminal',
} as const;

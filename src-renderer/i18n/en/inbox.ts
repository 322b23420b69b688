export const inbox = {
  title: 'Decisions that wait',
  open: 'Decisions that wait for you',
  openCount: {
    one: '{count} decision waits for you',
    other: '{count} decisions wait for you',
  },
  count: { one: '{count} waits for you', other: '{count} wait for you' },
  empty: 'Every decision that an agent waits for appears here, from all projects and threads.',
  where: '{project} › {thread}',
  asked: 'asked {ago}',
  subAgent: 'sub-agent {agent}',
  showThread: 'Show in its thread',
} as const;

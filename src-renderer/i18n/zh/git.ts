import type {
  git as en,
  gitAuthors as gitAuthorsEn,
  gitChanges as gitChangesEn,
  gitKinds as gitKindsEn,
  gitOperations as gitOperationsEn,
  gitPull as gitPullEn,
  gitPush as gitPushEn,
} from '../en/git';
import type { Same } from '../types';

export const git: Same<typeof en> = {
  changes: '仓库中的更改',
  thread: '此会话',
  tab: 'Git',
  views: '查看哪些更改',
  clean: '自上次提交以来没有更改。',
  count: '{count} 个文件已更改，{staged} 个已暂存',
  stageAll: '全部暂存',
  stageAgent: '暂存智能体的更改',
  stagedAgent: '已暂存智能体更改的 {count} 个文件。',
  staged: '暂存 {path}',
  renamed: '{from} → {path}',
  discard: '放弃对 {path} 的更改',
  discarded: '已放弃对 {path} 的更改。',
  hooks: '此仓库有不会运行的钩子：{names}。',
  hooksSkipped: '此仓库有钩子。它们没有运行。',
  runHooks: '运行钩子',
  hooksRun: '此仓库的钩子会运行：{names}。',
  stopHooks: '不运行钩子',
  ignored: '已忽略此仓库中会运行程序的设置：{names}。',
  branchName: '分支 {branch}',
  detached: '不在分支上',
  notPushed: '不在远程仓库上',
  noRemote: '没有远程仓库',
  upstream: '{ahead} 个待推送，{behind} 个待拉取',
  refresh: '刷新',
  pull: '拉取',
  push: '推送',
  newBranch: '该分支在那里是新的。',
  branches: '分支',
  branchesHint: '切换会保留未提交的更改，否则会被拒绝。',
  otherBranch: '其他分支',
  switch: '切换',
  newName: '新分支',
  create: '创建',
  identity: 'Git 需要你的姓名和邮箱地址。Deepdesk 会为此项目记住它们。',
  commitsAs: '提交者：{name} <{email}>',
  changeIdentity: '更改',
  name: '姓名',
  email: '电子邮件地址',
  message: '提交信息',
  draft: '起草信息',
  draftReplaced: '草稿已替换你的提交信息。',
  amend: '修改上一个提交',
  commit: '提交',
  committed: '已提交 {id}。',
  back: '所有更改',
  stagedPart: '已暂存',
  unstagedPart: '未暂存',
  stageFile: '暂存',
  unstageFile: '取消暂存',
  discardFile: '放弃更改',
  busy: 'Git 正在工作。',
  stop: '停止 git',
  isSubmodule: '它是子模块。',
  isStaged: '其所有更改均已暂存。请先取消暂存。',
  hasConflict: '它有冲突。请先解决。',
  stageHunk: '暂存此更改',
  unstageHunk: '取消暂存此更改',
};

export const gitAuthors: Same<typeof gitAuthorsEn> = {
  agent: '智能体',
  person: '你',
  both: '智能体和你',
  unclear: '智能体或你',
};

export const gitChanges: Same<typeof gitChangesEn> = {
  added: '新建',
  modified: '已更改',
  deleted: '已删除',
  renamed: '已重命名',
  type: '类型',
  untracked: '新建',
  conflict: '冲突',
};

export const gitKinds: Same<typeof gitKindsEn> = {
  binary: '这是二进制文件，请整体暂存。',
  too_large: '更改太大，无法显示。请整体暂存此文件。',
  submodule: '这是子模块，请整体暂存。',
  conflict: '此文件存在冲突。请解决后暂存此文件。',
  same: '没有更改任何行。',
};

export const gitOperations: Same<typeof gitOperationsEn> = {
  merge: '正在合并。请解决冲突后提交。',
  rebase: '正在变基。请在终端中完成。',
  'cherry-pick': '正在拣选提交。请在终端中完成。',
  revert: '正在还原提交。请在终端中完成。',
};

export const gitPush: Same<typeof gitPushEn> = {
  nothing: '没有要推送的内容。',
  done: '已推送。',
  ask: '推送到远程仓库？',
  what: 'Deepdesk 会将 {count} 个提交推送到 {remote} 的分支 {branch}。',
};

export const gitPull: Same<typeof gitPullEn> = {
  nothing: '没有要拉取的内容。',
  done: '已拉取。',
  ask: '从远程仓库拉取？',
  what: 'Deepdesk 会从 {remote} 的分支 {branch} 拉取 {count} 个提交。',
};

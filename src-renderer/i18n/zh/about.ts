import type { about as en } from '../en/about';
import type { Same } from '../types';

export const about: Same<typeof en> = {
  guide: '指南',
  guideHint: '按任务说明如何操作（英文）。随应用附带，无需网络。',
  showGuide: '显示指南',
  allPages: '所有页面',
  onlyInRepository: '此页面不随应用附带。它在代码仓库中：{path}。',
  diagnostics: '诊断信息',
  diagnosticsHint: '用于错误报告的版本、数量和错误代码。不含密钥、名称、路径、消息或文件内容。',
  copy: '复制诊断信息',
  copied: '已复制诊断信息',
  licenses: '许可证',
  licensesHint: 'Deepdesk 是 MIT 许可证下的自由软件，其中包含他人的作品。',
  showLicenses: '显示许可证',
  findPackage: '搜索软件包',
  noPackage: '没有匹配的软件包。',
  noLicenses: '此版本没有列出其软件包。',
  noText: '此软件包未附带许可证文本。',
  packages: { one: '{count} 个软件包', other: '{count} 个软件包' },
};

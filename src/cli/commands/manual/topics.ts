import { commandText } from '../../docs/commands.ts';
import { type CommandNode, commandsUnder, GROUP_SUMMARIES, treeOf } from '../tree.ts';
import { DOCUMENTS } from './documents.ts';
import { SUBJECTS } from './manual-command.ts';

/** A page of the manual. */
export interface ManualTopic {
  /** What is typed behind `macro manual`. */
  readonly topic: string;
  readonly about: string;
  /** The page, in Markdown. */
  text(): string;
}

/** Every page, subjects first. A command and a subject of one name are one page. */
export function manualTopics(): readonly ManualTopic[] {
  const commands = nodesUnder(treeOf(commandsUnder())).map(
    (node): ManualTopic => ({
      topic: node.path.join(' '),
      about: node.command?.summary ?? GROUP_SUMMARIES[node.path.at(-1) ?? ''] ?? '',
      text: () => pagesUnder(node).join('\n\n'),
    }),
  );
  const subjects = SUBJECTS.map((name): ManualTopic => {
    const document = DOCUMENTS[name] ?? '';
    const command = commands.find(({ topic }) => topic === name);
    return {
      topic: name,
      about: aboutOf(document),
      text: () => [document, ...(command ? [command.text()] : [])].join('\n\n'),
    };
  });
  const names = new Set<string>(SUBJECTS);
  return [...subjects, ...commands.filter(({ topic }) => !names.has(topic))];
}

function nodesUnder(node: CommandNode): readonly CommandNode[] {
  return node.children.flatMap((child) => [child, ...nodesUnder(child)]);
}

function pagesUnder(node: CommandNode): readonly string[] {
  return [...(node.command ? [commandText(node.command)] : []), ...node.children.flatMap(pagesUnder)];
}

/** The title, and the first sentence below it. */
function aboutOf(document: string): string {
  const title = /^# (.*)$/m.exec(document)?.[1] ?? '';
  const first = document
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Z`]/.test(block));
  const sentence = /^[\s\S]*?[.:](?=\s|$)/.exec(first ?? '')?.[0].replaceAll(/\s+/g, ' ');
  return sentence === undefined
    ? title
    : `${title}. ${sentence.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`;
}

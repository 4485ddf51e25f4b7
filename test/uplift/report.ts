import type { Result } from './arms.js';

const block = 100;

/** Solved, and gained and lost compared with no advice on the same tasks. */
export function formatArms(results: readonly Result[]): string {
  const worlds = [...new Set(results.map(({ world }) => world))];
  const without = new Map(results.filter(({ arm }) => arm === 'without').map((one) => [taskOf(one), one.solved]));
  const rows = armsOf(results)
    .filter((arm) => !arm.endsWith('-curve'))
    .map((arm) => {
      const cells = [...worlds, 'all'].map((world) => {
        const some = results.filter((one) => one.arm === arm && (world === 'all' || one.world === world));
        const gained = some.filter((one) => one.solved && !without.get(taskOf(one))).length;
        const lost = some.filter((one) => !one.solved && without.get(taskOf(one))).length;
        const change = arm === 'without' ? '' : ` (+${gained} −${lost})`;
        return `${some.filter(({ solved }) => solved).length} of ${some.length}${change}`;
      });
      return [arm, ...cells];
    });
  return formatTable(['arm', ...worlds, 'all'], rows);
}

export interface Curve {
  arm: string;
  /** For each run in order: solved with advice, and solved without. */
  runs: { solved: boolean; without: boolean }[];
}

/** The curves with the worlds interleaved, as one agent would meet them. */
export function curvesOf(results: readonly Result[]): Curve[] {
  const without = new Map(results.filter(({ arm }) => arm === 'without').map((one) => [taskOf(one), one.solved]));
  return armsOf(results)
    .filter((arm) => arm.endsWith('-curve'))
    .map((arm) => {
      const ofArm = results.filter((one) => one.arm === arm);
      const placed = [...new Set(ofArm.map(({ world }) => world))].flatMap((world) => {
        const ofWorld = ofArm.filter((one) => one.world === world);
        return ofWorld.map((one, index) => ({ one, at: (index + 0.5) / ofWorld.length }));
      });
      const inOrder = placed.sort((a, b) => a.at - b.at).map(({ one }) => one);
      return { arm, runs: inOrder.map((one) => ({ solved: one.solved, without: without.get(taskOf(one)) === true })) };
    });
}

/** Solved per hundred tasks. */
export function formatCurves(curves: readonly Curve[]): string {
  const count = Math.max(0, ...curves.map(({ runs }) => runs.length));
  const rows = Array.from({ length: Math.ceil(count / block) }, (_, index) => {
    const cells = curves.flatMap(({ runs }) => {
      const some = runs.slice(index * block, (index + 1) * block);
      return [percent(some.map(({ without }) => without)), percent(some.map(({ solved }) => solved))];
    });
    return [`${index * block + 1}–${Math.min(count, (index + 1) * block)}`, ...cells];
  });
  return formatTable(['tasks', ...curves.flatMap(({ arm }) => ['without', arm])], rows);
}

/** Every task gained or lost by advice. */
export function formatChanges(results: readonly Result[]): string {
  const without = new Map(results.filter(({ arm }) => arm === 'without').map((one) => [taskOf(one), one.solved]));
  const lines = armsOf(results)
    .filter((arm) => arm !== 'without' && !arm.endsWith('-curve'))
    .flatMap((arm) => {
      const ofArm = results.filter((one) => one.arm === arm);
      const gained = ofArm.filter((one) => one.solved && !without.get(taskOf(one))).map(taskOf);
      const lost = ofArm.filter((one) => !one.solved && without.get(taskOf(one))).map(taskOf);
      return [`${arm} gained: ${gained.join(', ') || 'none'}`, `${arm} lost: ${lost.join(', ') || 'none'}`];
    });
  return lines.join('\n');
}

export function percent(values: readonly boolean[]): string {
  if (values.length === 0) return '–';
  return `${Math.round((100 * values.filter(Boolean).length) / values.length)} %`;
}

function armsOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ arm }) => arm))];
}

function taskOf({ world, task }: Result): string {
  return `${world}/${task}`;
}

/** As Markdown. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

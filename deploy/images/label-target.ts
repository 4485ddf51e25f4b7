/**
 * The Dockerfile as far as the target, with the labels as its last step. They stand in it as they are because not every tool labels
 * an image anew that it has built before, when only an option or an argument has another value.
 */
export function labelTarget(dockerfile: string, target: string, labels: Readonly<Record<string, string>>): string {
  const stages = dockerfile.split(/^(?=FROM )/m);
  const last = stages.findIndex((stage) => new RegExp(`^FROM .* AS ${target}$`, 'm').test(stage));
  const steps = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${quote(value)}\n`);
  return `${stages
    .slice(0, last + 1)
    .join('')
    .trimEnd()}\n${steps.join('')}`;
}

function quote(value: string): string {
  return `"${value.replace(/["$\\]/g, '\\$&')}"`;
}

import type { Unit } from './scan-units.js';

const sketchSize = 1 << 16;

export interface Novelty {
  /** By unit: the share of its words that few other units have; 0 for one that comes again and again. */
  novelties: number[];
  /** Over all units, weighed by their length. */
  average: number;
}

/** What each unit says that the rest of the text does not say. Words are counted in a sketch: a rare collision costs little. */
export function noveltyOf(units: Unit[]): Novelty {
  const unitsWith = new Uint32Array(sketchSize);
  const lastUnit = new Int32Array(sketchSize).fill(-1);
  const timesSeen = new Map<number, number>();
  const templates = units.map(({ wordHashes }, index) => {
    let template = wordHashes.length;
    for (const hash of wordHashes) {
      template = (Math.imul(template, 31) + hash) | 0;
      const place = placeOf(hash);
      if (lastUnit[place] === index) continue;
      lastUnit[place] = index;
      unitsWith[place] = (unitsWith[place] as number) + 1;
    }
    timesSeen.set(template, (timesSeen.get(template) ?? 0) + 1);
    return template;
  });

  const few = Math.max(1, units.length / 200);
  let newWords = 0;
  let allWords = 0;
  const novelties = units.map(({ wordHashes }, index) => {
    let fresh = 0;
    for (const hash of wordHashes) if ((unitsWith[placeOf(hash)] as number) <= few) fresh++;
    const repeated = (timesSeen.get(templates[index] as number) ?? 0) > 2;
    newWords += repeated ? 0 : fresh;
    allWords += wordHashes.length;
    return repeated || wordHashes.length === 0 ? 0 : fresh / wordHashes.length;
  });
  return { novelties, average: allWords === 0 ? 1 : newWords / allWords };
}

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & (sketchSize - 1);
}

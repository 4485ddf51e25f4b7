import { particlesOf } from './particles.js';
import { taskWords } from './task-words.js';

const inTask = (task: string) => [...particlesOf(taskWords(task))];

describe('particlesOf', () => {
  it.each('up down out off back away over again forward by'.split(' '))('finds "%s" wherever it stands', (particle) => {
    expect(inTask(`Turn ${particle} the wheel of the mill`)).toEqual([particle]);
    expect(inTask(`Turn the wheel ${particle} at the mill`)).toEqual([particle]);
  });

  it.each(['in', 'on'])('finds "%s" only where nothing follows that it could belong to', (particle) => {
    expect(inTask(`Turn the wheel ${particle}`)).toEqual([particle]);
    expect(inTask(`Turn the wheel ${particle}, then rest`)).toEqual([particle]);
    expect(inTask(`Turn the wheel ${particle} for the miller`)).toEqual([particle]);
    expect(inTask(`Turn the wheel ${particle} the mill`)).toEqual([]);
  });

  it('finds none in names and quoted text', () => {
    expect(inTask('Turn "the wheel up" with roll-back.sh')).toEqual([]);
  });
});

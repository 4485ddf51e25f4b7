import { randomNumbers } from '../../support/randomness.js';

/** The database of a bicycle workshop, of our own making; the same in every run. */
export const schema = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined TEXT);
CREATE TABLE bikes (id INTEGER PRIMARY KEY, customer_id INTEGER, kind TEXT);
CREATE TABLE mechanics (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE states (id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE repairs (id INTEGER PRIMARY KEY, bike_id INTEGER, mechanic_id INTEGER, state_id INTEGER, cents INTEGER, opened TEXT, closed TEXT);
CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER, cents INTEGER);`;

export type Customer = [id: number, name: string, city: string, joined: string];
export type Bike = [id: number, customer: number, kind: string];
export type Repair = [
  id: number,
  bike: number,
  mechanic: number,
  state: number,
  cents: number,
  opened: string,
  closed: string | null,
];
export type Part = [id: number, name: string, stock: number, cents: number];

const fraction = randomNumbers(11);
const below = (limit: number) => Math.floor(fraction() * limit);
const pick = <T>(items: readonly T[]) => items[below(items.length)] as T;
const two = (number: number) => String(number).padStart(2, '0');
const day = () => `${pick([2022, 2023, 2024])}-${two(1 + below(12))}-${two(1 + below(28))}`;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const givenNames = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kim', 'Lars'];
const familyNames = ['Adler', 'Brandt', 'Costa', 'Dietz'];

const customers = range(40).map((id): Customer => {
  const name = `${givenNames[id % 12]} ${familyNames[Math.floor(id / 12)]}`;
  return [id, name, pick(['Bern', 'Lyon', 'Oslo', 'Porto']), day()];
});
const bikes = range(55).map((id): Bike => [id, 1 + below(34), pick(['city', 'race', 'cargo', 'mountain'])]);
const repairs = range(160).map((id): Repair => {
  const opened = day();
  const state = pick([1, 2, 3, 3, 3, 4]);
  const closed = new Date(Date.parse(opened) + (1 + below(30)) * 86_400_000).toISOString().slice(0, 10);
  const isClosed = state === 3 || state === 4;
  return [id, 1 + below(55), 1 + below(4), state, 500 + 25 * below(600), opened, isClosed ? closed : null];
});
const parts = [
  'chain',
  'pedal',
  'saddle',
  'brake cable',
  'bell',
  'inner tube',
  'spoke',
  'lamp',
  'gear cable',
  'tyre',
].map((name, index): Part => [index + 1, name, below(40), 200 + 100 * below(50)]);

export const workshop = {
  customers,
  bikes,
  mechanics: [
    [1, 'Mara'],
    [2, 'Nils'],
    [3, 'Olga'],
    [4, 'Paul'],
  ] as [number, string][],
  states: [
    [1, 'open'],
    [2, 'waiting'],
    [3, 'done'],
    [4, 'cancelled'],
  ] as [number, string][],
  repairs,
  parts,
};

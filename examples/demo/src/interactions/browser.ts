import { type DemoInteraction, run } from '../interaction.js';

const agent = 'browser';

export const browserRuns: DemoInteraction[] = [
  run(
    agent,
    'Find the cheapest wireless keyboard in the shop and put it into the cart',
    'failed',
    ["type [search] 'wireless keyboard'", 'Page: 48 results, sorted by relevance'],
    ['click [result 1]', 'Page: Logi K780 · 79.00'],
    ['click [Add to cart]', 'Page: Added to cart'],
  ),
  run(
    agent,
    'Find the cheapest wireless keyboard in the shop and put it into the cart',
    'succeeded',
    ["type [search] 'wireless keyboard'", 'Page: 48 results, sorted by relevance'],
    ["select [sort by] 'Price: low to high'", 'Page: 48 results, cheapest first, from 11.90'],
    ['click [result 1]', 'Page: Basic W1 keyboard · 11.90'],
    ['click [Add to cart]', 'Page: Added to cart'],
  ),
  run(
    agent,
    'Download the invoice of the last order',
    'succeeded',
    ['click [Orders]', 'Page: Please sign in'],
    ['click [Sign in with SSO]', 'Page: Orders (12)'],
    ['click [Order 12] > [Documents]', 'Page: Documents: invoice.pdf'],
    ['click [invoice.pdf]', 'Downloaded invoice.pdf'],
  ),
  run(
    agent,
    'Post a comment on the newest ticket of the support board',
    'failed',
    [
      'click [Submit]',
      'Error: element [Submit] is not clickable, another element (cookie banner) would receive the click',
    ],
    [
      'click [Submit]',
      'Error: element [Submit] is not clickable, another element (cookie banner) would receive the click',
    ],
    [
      'click [Submit]',
      'Error: element [Submit] is not clickable, another element (cookie banner) would receive the click',
    ],
  ),
  run(
    agent,
    'Change the delivery address in the account settings',
    'succeeded',
    ['click [Save]', 'Error: element [Save] is not clickable, another element (cookie banner) would receive the click'],
    ['click [Accept necessary cookies]', 'Page: banner closed'],
    ['click [Save]', 'Page: Address saved'],
  ),
  run(
    agent,
    'Find out how many open issues the project has that carry the label bug',
    'succeeded',
    ['click [Issues]', 'Page: 241 open, page 1 of 10'],
    ["type [filter] 'is:open label:bug'", 'Page: 37 open'],
    ['answer [37]', 'Correct'],
  ),
];

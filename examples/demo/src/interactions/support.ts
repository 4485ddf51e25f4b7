import { type DemoInteraction, run } from '../interaction.js';

const agent = 'support';

export const supportRuns: DemoInteraction[] = [
  run(
    agent,
    'I want to return the jacket from my last order and get my money back',
    'failed',
    ['refund_order({"order_id":"A-5531","amount":129.0})', '{"status":"ok","refunded":129.0}'],
    ['Your refund of 129.00 is on its way.', 'Thanks!'],
  ),
  run(
    agent,
    'I want to return the jacket from my last order and get my money back',
    'succeeded',
    [
      'get_order({"order_id":"A-5531"})',
      '{"order_id":"A-5531","delivered":"2026-01-04","items":[{"sku":"JKT-1","price":89.0},{"sku":"SCRF-2","price":40.0}]}',
    ],
    ['check_return_window({"order_id":"A-5531","sku":"JKT-1"})', '{"eligible":true,"days_left":9}'],
    ['I can take back the jacket for 89.00 to your original card. Shall I go ahead?', 'Yes, please.'],
    [
      'create_return({"order_id":"A-5531","sku":"JKT-1","refund_to":"original_payment"})',
      '{"status":"ok","return_id":"R-77"}',
    ],
  ),
  run(
    agent,
    'Please cancel my subscription, I was charged twice',
    'succeeded',
    ['get_subscription({"customer_id":"c_81"})', '{"plan":"pro","renews":"2026-05-01"}'],
    [
      'list_charges({"customer_id":"c_81","limit":5})',
      '[{"id":"ch_2","amount":20,"day":"2026-04-01"},{"id":"ch_1","amount":20,"day":"2026-04-01"}]',
    ],
    ['refund_charge({"charge_id":"ch_2","reason":"duplicate"})', '{"status":"ok"}'],
    ['cancel_subscription({"customer_id":"c_81","at":"period_end"})', '{"status":"ok"}'],
  ),
  run(
    agent,
    'Change the shipping address of an order that I placed this morning',
    'succeeded',
    [
      'update_address({"order_id":"B-1009","address":"12 Mill Lane"})',
      '{"error":"address must contain city and postcode"}',
    ],
    ['Could you give me the city and the postcode too?', 'Leeds, LS1 4AP'],
    [
      'update_address({"order_id":"B-1009","address":{"street":"12 Mill Lane","city":"Leeds","postcode":"LS1 4AP"}})',
      '{"status":"ok"}',
    ],
  ),
  run(
    agent,
    'My parcel says delivered but I have nothing, send a new one',
    'failed',
    ['create_replacement({"order_id":"C-220"})', '{"error":"replacement requires an open carrier claim"}'],
    ['create_replacement({"order_id":"C-220","force":true})', '{"error":"replacement requires an open carrier claim"}'],
    ['I am sorry, I cannot send a replacement.', 'That is not acceptable.'],
  ),
  run(
    agent,
    'The tracking says my package was delivered, but it never came',
    'succeeded',
    ['get_tracking({"order_id":"C-871"})', '{"state":"delivered","signed_by":null}'],
    ['create_replacement({"order_id":"C-871"})', '{"error":"replacement requires an open carrier claim"}'],
    ['open_carrier_claim({"order_id":"C-871","type":"not_received"})', '{"status":"ok","claim":"K-3"}'],
    ['create_replacement({"order_id":"C-871","claim":"K-3"})', '{"status":"ok","order_id":"C-872"}'],
  ),
];

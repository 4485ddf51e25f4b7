export interface DemoTask {
  agent_type: string;
  input_text: string;
}

/** Tasks that come again, with other values, in other words; the last one has nothing to do with anything uploaded. */
export const tasks: DemoTask[] = [
  { agent_type: 'shell', input_text: 'Delete all temporary files older than 30 days below /opt/app/cache' },
  { agent_type: 'shell', input_text: 'Which process listens on port 3000?' },
  { agent_type: 'shell', input_text: 'Find out what is using port 5432 and stop it' },
  { agent_type: 'sql-analyst', input_text: 'Which suppliers have not delivered anything since January?' },
  { agent_type: 'sql-analyst', input_text: 'Top five articles by sales for every department' },
  { agent_type: 'browser', input_text: 'Find the cheapest wireless keyboard in the shop and put it into the cart' },
  {
    agent_type: 'support',
    input_text: 'Customer: tracking says my parcel was delivered, but it never arrived. I need another one.',
  },
  { agent_type: 'api-integrator', input_text: 'Copy every company record from the CRM endpoint to a spreadsheet' },
  { agent_type: 'coder', input_text: 'Give the service a readiness endpoint and deploy it' },
  { agent_type: 'coder', input_text: 'Deploy version 43 of the api to staging' },
  { agent_type: 'writer', input_text: 'Write a birthday poem for my grandmother' },
];

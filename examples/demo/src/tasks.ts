export interface DemoTask {
  agent_type: string;
  input_text: string;
}

/** New tasks, worded differently from anything uploaded; the last one has nothing to do with any of it. */
export const tasks: DemoTask[] = [
  { agent_type: 'shell', input_text: 'Clean up cache files that nobody touched for a month in /opt/app/cache' },
  { agent_type: 'shell', input_text: 'Something already occupies port 3000 on this host. Who is it?' },
  { agent_type: 'sql-analyst', input_text: 'Which suppliers have not delivered anything since January?' },
  { agent_type: 'sql-analyst', input_text: 'Top five articles by sales for every department' },
  { agent_type: 'browser', input_text: 'Add the least expensive USB microphone to the basket' },
  {
    agent_type: 'support',
    input_text: 'Customer: the courier claims it was handed over, yet my box never arrived. I need another one.',
  },
  { agent_type: 'api-integrator', input_text: 'Copy every company record from the CRM endpoint to a spreadsheet' },
  { agent_type: 'coder', input_text: 'Give the service a readiness endpoint and deploy it' },
  { agent_type: 'coder', input_text: 'Roll image 43 of the api out to the test cluster' },
  { agent_type: 'writer', input_text: 'Write a birthday poem for my grandmother' },
];

import { setTimeout as pause } from 'node:timers/promises';

import type { DemoInteraction } from './interaction.js';
import type { DemoTask } from './tasks.js';

export interface EnhancedTask {
  response: string;
  metadata: { confidence_score: number; recommendations: { text: string; kind: string; support: number }[] };
}

export interface EndedJob {
  status: 'completed' | 'failed';
  outcome?: 'stored' | 'nothing_to_learn' | 'deleted';
  insights_stored?: number;
}

/** The three calls that an agent's harness makes: ask before a task, upload after it, look how the upload fared. */
export class WhetstoneClient {
  private readonly url: string;
  private readonly key: string;
  private readonly collection: string;

  constructor(url: string, key: string, collection: string) {
    this.url = url;
    this.key = key;
    this.collection = collection;
  }

  enhance(task: DemoTask): Promise<EnhancedTask> {
    return this.post('/enhance_task', task);
  }

  async upload(interaction: DemoInteraction): Promise<string> {
    const { job_id: jobId } = await this.post<{ job_id: string }>('/store_knowledge', interaction);
    return jobId;
  }

  async ended(jobId: string): Promise<EndedJob> {
    for (;;) {
      const job = await this.call<EndedJob | { status: 'processing' }>(`/knowledge_status/${jobId}`, {});
      if (job.status !== 'processing') return job;
      await pause(50);
    }
  }

  private post<Answer>(path: string, body: object): Promise<Answer> {
    return this.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, tenant_id: this.collection }),
    });
  }

  private async call<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(this.url + path, { ...init, headers: { ...init.headers, 'x-api-key': this.key } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
}

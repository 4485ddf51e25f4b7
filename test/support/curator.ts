import { unique } from './accounts.js';
import type { Client } from './client.js';
import type { EnhancedResponse, Lesson, LessonDetails } from './contract.js';
import { lessons, shellSuccess } from './uploads.js';

export interface LessonPage {
  lessons: Lesson[];
  cursor?: string;
}

/** The task that a curator's collections know something about. */
export const { task, command } = lessons.ports;

/** A person who looks after what was learnt. */
export interface Curator {
  /** Fails if the answer has another status. */
  request<Body>(method: string, path: string, status: number, body?: unknown): Promise<Body>;
  /** A collection that has learnt these commands for the task. */
  learnt(...commands: string[]): Promise<string>;
  list(tenantId: string, more?: string): Promise<Lesson[]>;
  /** The lesson of a collection that has one. */
  only(tenantId: string): Promise<Lesson>;
  details(tenantId: string, lesson: Lesson): Promise<LessonDetails>;
  change(tenantId: string, lesson: Lesson, body: object): Promise<Lesson>;
  ask(tenantId: string): Promise<EnhancedResponse>;
}

export function pathOfLesson(tenantId: string, { id }: Pick<Lesson, 'id'>): string {
  return `/lessons/${id}?tenant_id=${tenantId}`;
}

export function createCurator(client: Client): Curator {
  const curator: Curator = {
    async request<Body>(method: string, path: string, status: number, body?: unknown) {
      const answer = await client.request<Body>(method, path, body === undefined ? {} : { body });
      if (answer.status !== status) throw new Error(`${method} is ${answer.status}, not ${status}: ${answer.text}`);
      return answer.body;
    },
    async learnt(...commands) {
      const tenantId = unique('lessons');
      for (const one of commands) await client.learn(shellSuccess(tenantId, task, one));
      return tenantId;
    },
    async list(tenantId, more = '') {
      return (await curator.request<LessonPage>('GET', `/lessons?tenant_id=${tenantId}${more}`, 200)).lessons;
    },
    async only(tenantId) {
      const [lesson, ...rest] = await curator.list(tenantId);
      if (!lesson || rest.length > 0) throw new Error(`There are ${rest.length + (lesson ? 1 : 0)} lessons`);
      return lesson;
    },
    details: (tenantId, lesson) => curator.request('GET', pathOfLesson(tenantId, lesson), 200),
    change: (tenantId, lesson, body) => curator.request('PATCH', pathOfLesson(tenantId, lesson), 200, body),
    ask: (tenantId) => client.enhance({ tenant_id: tenantId, input_text: task, agent_type: 'shell' }),
  };
  return curator;
}

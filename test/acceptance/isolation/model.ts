import type { JobRecord } from '../../support/contract.js';

/** One collection of one account, with a word that occurs in all that is uploaded to it and nowhere else. */
export interface Room {
  account: string;
  tenantId: string;
  canary: string;
}

/** What an answer about one room said. */
export interface Seen {
  /** The answer's text without what the caller had sent itself. */
  text: string;
  jobIds?: string[];
  rowIds?: string[];
  /** How many insights of the room it counted. */
  count?: number;
  /** The count was asked for so that it has to be all there are. */
  countIsAll?: boolean;
  /** What was counted is gone with this answer. */
  deleted?: boolean;
}

/** What each room holds, as simply as it can be put; and what an answer may therefore not say. */
export interface Model {
  uploaded(room: Room, jobId: string): void;
  ended(job: JobRecord): void;
  insightsOf(room: Room): number;
  /** Jobs of the room that have not been seen to end. */
  openJobs(room: Room): string[];
  jobsOf(room: Room): string[];
  /** Takes note of the answer; everything in it that the room's owner could not have put there, in words. */
  violations(room: Room, seen: Seen): string[];
}

export function createModel(rooms: readonly Room[]): Model {
  const roomOfJob = new Map<string, Room>();
  const roomOfRow = new Map<string, Room>();
  const open = new Set<string>();
  const insights = new Map<Room, number>(rooms.map((room) => [room, 0]));
  const insightsOf = (room: Room) => insights.get(room) ?? 0;
  const jobsOf = (room: Room) => [...roomOfJob].filter(([, owner]) => owner === room).map(([jobId]) => jobId);

  function wrongRow(room: Room, id: string): boolean {
    const owner = roomOfRow.get(id);
    if (!owner) roomOfRow.set(id, room);
    return owner !== undefined && owner !== room;
  }

  return {
    uploaded(room, jobId) {
      roomOfJob.set(jobId, room);
      open.add(jobId);
    },
    ended({ job_id, insights_stored = 0 }) {
      const room = roomOfJob.get(job_id);
      if (!room || !open.delete(job_id)) return;
      insights.set(room, insightsOf(room) + insights_stored);
    },
    insightsOf,
    openJobs: (room) => jobsOf(room).filter((jobId) => open.has(jobId)),
    jobsOf,
    violations(room, { text, jobIds = [], rowIds = [], count, countIsAll = false, deleted = false }) {
      const here = insightsOf(room);
      if (deleted) insights.set(room, Math.max(0, here - (count ?? 0)));
      return [
        ...rooms
          .filter((other) => other !== room && text.includes(other.canary))
          .map((other) => `${room.canary} was told of ${other.canary}`),
        ...jobIds.filter((id) => roomOfJob.get(id) !== room).map((id) => `${room.canary} was told of job ${id}`),
        ...rowIds.filter((id) => wrongRow(room, id)).map((id) => `${room.canary} was told of row ${id}`),
        ...(count !== undefined && count > here
          ? [`${room.canary} has ${here} insights, and ${count} were counted`]
          : []),
        ...(countIsAll && count !== here ? [`${room.canary} has ${here} insights, and all are ${count}`] : []),
      ];
    },
  };
}

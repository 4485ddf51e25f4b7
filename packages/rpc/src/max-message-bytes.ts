/**
 * Of one message, either way. The largest is what the analyser sends on from an upload: the topic takes 8 MiB of it, packed,
 * and a body has at most 7 MiB unpacked; what is sent for storing is that at most, plus what was learnt.
 */
export const maxMessageBytes = 16 * 1024 * 1024;

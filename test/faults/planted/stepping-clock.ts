/** Preloaded into the product, whose wall clock is set back and forward by ten minutes, again and again. */
const stepsMs = [0, -600_000, 600_000];
const everyMs = 1500;
const now = Date.now;
const begun = performance.now();

Date.now = () => now() + (stepsMs[Math.floor((performance.now() - begun) / everyMs) % stepsMs.length] ?? 0);

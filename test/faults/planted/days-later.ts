/** Preloaded into the product, whose wall clock is then so many days ahead. */
const aheadMs = Number(process.env['TEST_DAYS_LATER']) * 24 * 60 * 60 * 1000;
const now = Date.now;

Date.now = () => now() + aheadMs;

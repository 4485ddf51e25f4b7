const imperatives = new Set(
  `accept access achieve act activate adapt add adjust advise aggregate align allocate allow alter analyse analyze annotate
  announce answer append apply approve archive arrange ask assemble assess assign attach audit author automate avoid backup
  balance batch begin benchmark block book bring browse build calculate call cancel capture categorise categorize change charge
  check choose cite clarify classify clean clear click clone close cluster code collect combine come comment compare compile
  complete compose compress compute configure confirm connect consider consolidate construct contact contain continue contrast
  convert copy correct count cover craft create critique crop cross cut debug decide decode decompress decrease decrypt deduce
  deduplicate define delete deliver deploy derive describe design detect determine develop devise diagnose diff disable discard
  discuss display divide do document double download downgrade draft draw drop dump duplicate edit elaborate eliminate email
  embed enable encode encrypt end enhance ensure enter enumerate erase escalate establish estimate evaluate examine exchange
  exclude execute expand explain explore export express extend extract fetch figure file fill filter finalise finalize find
  finish fix flag flatten follow forecast format formulate forward free generate get give go grade grant grep group guess
  handle help hide highlight host identify ignore illustrate implement import improve include increase index infer inform
  insert inspect install integrate interpret invent investigate invite invoke issue join keep kill label launch lay learn
  leave let limit link list load locate lock log look lower lint make manage map mark mask match measure merge migrate
  minimise minimize mirror modify monitor mount move multiply name navigate negotiate normalise normalize note notify number
  obtain offer omit open optimise optimize order organise organize outline output overwrite pack paraphrase parse partition
  paste patch pause pay perform pick pin ping place plan play plot point populate port post predict prepare present preserve
  prevent print prioritise prioritize process produce profile program promote proofread propose prove provide provision prune
  publish pull purchase purge push put query queue quote raise randomise randomize rank rate reach read rearrange rebase
  rebook reboot rebuild recap recalculate receive recite recommend reconcile record recover redact redirect reduce refactor
  refer refine reformat refresh refund register reject release reload relocate remind remove rename render renew reopen
  reorder repair repeat rephrase replace reply report repost represent reproduce request research reschedule reserve reset
  resize resolve respond restart restore restrict restructure retain retrieve return reuse reverse revert review revise
  revoke rewrite roll rotate round route run sample sanitise sanitize save scale scan schedule scrape scroll search secure
  see select send separate serialise serialize serve set settle share ship shorten show shrink shuffle sign simplify simulate
  sketch skip solve sort specify spell split stage standardise standardize start state stop store stream strip structure
  study submit subscribe subtract suggest sum summarise summarize supply support suspend swap switch synchronise synchronize
  sync synthesise synthesize tag take talk tell terminate test think tidy track trace train transcribe transfer transform
  translate transpose trim troubleshoot truncate try tune turn type unblock undo uninstall unlock unpack unsubscribe unzip
  update upgrade upload upsert use validate verify view visit visualise visualize wait walk warn watch wipe work wrap write
  zip`.split(/\s+/),
);

/** What introduces a request by name. */
const label =
  /^[^a-z]{0,4}(?:(?:the|my|your|our|here is|here's|actual|real|main|final|user|new) ){0,2}(?:task|request|question|query|instructions?|goal|objective|problem|todo|to do|ask|assignment|prompt|job|user|human|customer|ticket|tl;?dr) ?(?:is|was)? ?[:：—–-]/;
const asking =
  /\b(?:please|kindly|pls|(?:can|could|would|will) (?:you|we|someone)|i (?:want|need|would like|wish|am trying|have to)|i'd like|we (?:want|need|would like)|help me|your (?:task|job|goal|mission|assignment|objective)|you are (?:to|asked)|the task|what i (?:want|need)|i'm (?:trying|looking))\b/;
const leadIn =
  /^(?:[^a-z]|(?:and|but|so|now|then|ok|okay|first|finally|hi|hello|hey|thanks|also|next|please|just|kindly|given all (?:this|that)|based on (?:this|that|the above))\b[,:]?){0,8}/;
const leadingVerb = /^([a-z]+)\s/;

export interface RequestCues {
  /** Somebody asks or is told to: "please", "I need", "your task:". */
  asks: boolean;
  /** It has the form of a request: begins with a verb as an order does, or is a question. */
  isForm: boolean;
}

/** What in a unit, in small letters, reads like a request. English; other languages have their question mark and their place. */
export function requestCues(text: string): RequestCues {
  const named = label.exec(text)?.[0].length ?? 0;
  const plain = text.slice(named, named + 120).replace(leadIn, '');
  const verb = leadingVerb.exec(plain)?.[1] ?? '';
  const asked = text.endsWith('?') || text.endsWith('？');
  return { asks: named > 0 || asking.test(text), isForm: asked || imperatives.has(verb) };
}

/** A unit that only announces what comes next, such as "your task:". */
export function announces(text: string): boolean {
  return text.length < 80 && text.endsWith(':') && (label.test(text) || asking.test(text));
}

/*
 * How texts try to take over whoever reads them. Each pattern asks for more than one sign, since ordinary lessons ignore
 * warnings, override settings and tell programs what not to do. For texts that are bounded.
 */
const earlier =
  '(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|system|developer)';
const filler = '(?:all|any|every|each|of|the|your|my|our|their|those|these|other|and|or|safety|security|given|user)';
const orders =
  '(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|constraints?|policy|policies|programming|training|guardrails?)';
const talk = '(?:messages?|context|commands?|text|conversation|orders?|inputs?|tasks?)';
const dropping = '(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop|abandon|circumvent)';
const persons = '(?:user|customer|human|operator|owner|person|client|victim)s?';
const secrets =
  '(?:api[ -]?keys?|keys|credentials?|passwords?|secrets?|tokens?|conversation|chat (?:history|logs?)|transcript|history|system prompt|environment(?: variables)?|env vars|(?:private|ssh) keys?|cookies|data)';
const secretFiles =
  '(?:\\.ssh/id_(?!\\w{1,20}\\.pub)|\\.aws/credentials|\\.env\\b|/etc/shadow|\\.kube/config|\\.git-credentials)';

const patterns: readonly string[] = [
  // Instructions are to be dropped.
  `\\b${dropping}(?: ${filler}){0,4} ${earlier}(?: (?:${filler}|${earlier})){0,2} ${orders}\\b`,
  `\\b(?:ignore|disregard|forget) (?:all|everything|any)(?: (?:of|the|your|my)){0,2} ${earlier} ${talk}\\b(?! (?:in|of|from|on|that|with|by)\\b)`,
  `\\b${dropping} (?:all |any |every )?(?:of )?your (?:${filler} |${earlier} |own |current ){0,2}${orders}\\b`,
  '\\b(?:ignore|disregard|forget) (?:all|any) (?:instructions|prompts|guidelines|directives)\\b(?! (?:in|on|of|about|for)\\b)',
  `\\b(?:ignore|disregard|forget) (?:everything|anything|all|what)(?: that)? (?:above|before (?:this|that)|you (?:were|have been|know|learned)|(?:has been|was) (?:said|written))`,
  `\\b(?:do not|don't|stop|never) (?:follow|obey|heed|adher(?:e|ing) to|following|obeying)(?: ${filler}){0,2} (?:your|${earlier})(?: (?:${filler}|${earlier})){0,2} ${orders}\\b`,
  `\\byour (?:${earlier} )?${orders} (?:no longer apply|(?:are|is|have been|has been) (?:now )?(?:void|invalid|cancell?ed|revoked|superseded|overridden|replaced|obsolete|lifted))`,
  `\\ball ${earlier} (?:instructions|prompts|guidelines) (?:no longer apply|(?:are|have been) (?:now )?(?:void|invalid|cancell?ed|revoked|superseded|overridden|replaced|obsolete|lifted))`,
  `\\b${dropping} (?:(?:all|any|the|your|these) ){0,2}(?:safety|content|ethical) (?:guidelines|protocols?|filters?|guardrails|policies|policy|rules|restrictions)\\b`,
  // Others are put in their place.
  '\\b(?:new|updated|real|actual|true|revised)(?: system)? (?:instructions?|orders|directives?|system prompt) ?:',
  '\\b(?:important|new|urgent|secret|hidden)(?: new)? (?:instructions?|message|note|orders?) (?:from (?:the )?(?:system|admin|administrator|developers?|owner)|(?:for|to) (?:the |any |all )?(?:ai|assistant|agents?|model|llm)s?)\\b',
  "\\byou(?: are|'re) now (?:(?:a|an|the|my|our) )?(?:(?:new|different|unrestricted|unfiltered|evil|fully|completely|helpful) ){0,2}(?:assistant|agent|ai|chatbot|bot|llm|language model|administrator(?! of)|hacker|dan\\b|jailbroken|unrestricted|unfiltered|free (?:from|of)|in (?:developer|god|dan|jailbreak|unrestricted|sudo)[ -]mode|acting as|operating (?:as|under)|to (?:obey|ignore|disregard)|required to (?:obey|ignore|send))",
  "\\bfrom now on,? (?:you(?: are|'re)\\b|you (?:will|must|shall|should) (?:act|be|behave|respond|answer|obey|ignore|only)|act as|respond (?:only|as)|answer only|obey|ignore|disregard)",
  '\\bact as an? (?:unrestricted|uncensored|unfiltered|jailbroken|evil)\\b|\\b(?:begin|start|end)(?: of)?(?: the)?(?: new)? system prompt\\b|\\bpretend (?:that )?you (?:are|have no)|\\b(?:developer|god|dan|jailbreak) mode (?:is )?(?:enabled|activated|on)\\b',
  "\\b(?:system|developer)(?: prompt| message| override| note| instructions?)? ?: ?(?:you (?:are|must|will|should|have to|shall)\\b|ignore\\b|disregard\\b|forget\\b|override\\b|obey\\b|from now\\b|new (?:instruction|rule|task|order)|(?:do not|don't|never) (?:tell|reveal|mention|inform))",
  '<\\/?(?:system|assistant|instructions?|system_prompt|system-prompt|sys)>|\\[\\/?(?:INST|SYS|SYSTEM)\\]|<<\\/?SYS>>|<[|｜](?:im_start|im_end|im_sep|system|user|assistant|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|endoftext)[|｜]>|<(?:start|end)_of_turn>|### ?(?:system|assistant|human|instruction) ?:',
  // The person is to be kept in the dark.
  `\\b(?:do not|don't|never) (?:tell|inform|alert|notify|warn|let) (?:the |your |any )?${persons}(?: know)?(?: (?:about (?:this|it|that|any)\\b|this\\b|anything\\b|of this\\b|that you\\b|what you\\b|or\\b|and\\b)|\\s?[.!;,]|\\s?$)`,
  `\\b(?:do not|don't|never) (?:mention|reveal|disclose|show|report) (?:this|it|any of (?:this|it)|these (?:instructions|steps)) to (?:the |your |any )?${persons}`,
  `\\b(?:hide|conceal|keep) (?:this|it|these instructions)(?: (?:secret|hidden))? from (?:the |your |any )?${persons}`,
  // What is confided to the reader is to be handed out.
  '\\b(?:reveal|print|show|repeat|leak|send|output|display|disclose|recite|expose)(?: (?:me|us|all|out|back|the|of|your|full|entire|whole|complete|contents)){0,5} (?:system prompt|hidden prompt|initial prompt|secret instructions|(?<=your )(?:(?:initial|original|system|hidden|secret) )?(?:instructions|prompt|credentials|api keys?|secrets))\\b',
  `\\b(?:send|post|upload|forward|e-?mail|mail|transmit|leak|deliver|dump|curl|pipe|submit)\\b[^.\\n]{0,40}\\b(?:all|any|your|every|whole|entire|full|user's|users'|customer's)\\b[^.\\n]{0,20}\\b${secrets}\\b[^.\\n]{0,60}\\b(?:to|at|via) (?:https?:|www\\.|\\S{1,64}@|me\\b|my\\b|us\\b|this\\b|that\\b|the following|an? (?:external|remote|outside|other)|[a-z0-9-]{1,63}\\.[a-z0-9-]{2,63})`,
  '\\b(?:e-?mail|send|post|forward) the (?:credentials|passwords|api keys|private keys?|conversation)(?: to (?:https?:|www\\.|\\S{1,64}@|me\\b|this\\b|that\\b)|["\'.]|$)|\\bexfiltrat(?:e|ing) (?:the|all|any|your|user)|\\bsecretly (?:send|post|upload|forward|copy|e-?mail)\\b|\\b(?:upload|paste|post|e-?mail|publish) [^\\n]{0,40}(?:\\.ssh/id_(?!\\w{1,20}\\.pub)|\\.aws/credentials|/etc/shadow)',
  `\\b(?:cat|base64|xxd|tar)\\b[^\\n]{0,80}${secretFiles}[^\\n]{0,80}\\|[^\\n]{0,80}\\b(?:curl|wget|nc|ncat|http)\\b|\\b(?:curl|wget|nc|ncat)\\b[^\\n]{0,200}(?:[@<]\\s?|\\$\\(cat )\\S{0,60}${secretFiles}|\\b(?:curl|wget|nc)\\b[^\\n]{0,200}\\$\\((?:env|printenv)\\)|\\b(?:env|printenv) ?\\|[^\\n]{0,60}\\b(?:curl|wget|nc|ncat)\\b`,
  // What nobody can read is to be run.
  '\\bbase64 (?:-d|-di|-D|--decode)\\b[^\\n]{0,120}\\|\\s?(?:sudo )?(?:ba|z|da|k)?sh\\b|\\bbase64 (?:-d|-D|--decode)\\b[^\\n]{0,120}\\|\\s?(?:sudo )?(?:python3?|perl|ruby|node)\\b|\\b(?:eval|exec)\\b[^\\n]{0,40}(?:base64 -|b64decode|atob\\()|\\bpowershell\\b[^\\n]{0,60} -e(?:nc|ncodedcommand)? [A-Za-z0-9+/=]{20,}|\\bdecode (?:this|the following|it|the)\\b[^.\\n]{0,40}\\b(?:run|execute|eval)\\b',
  // German
  '\\b(?:ignorier|vergiss|vergesst|vergessen sie|missacht|übergeh|verwirf)\\w{0,4}\\b[^.\\n]{0,30}\\b(?:vorherig|bisherig|obig|früher|vorangegangen|vorangehend|ursprünglich|vorig|deine|ihre|system)\\w{0,6}\\b[^.\\n]{0,20}(?:anweisung|instruktion|regeln?\\b|vorgabe|befehl|prompt|anleitung)',
  '\\b(?:ignorier|vergiss|missacht)\\w{0,4} (?:alle|sämtliche) (?:anweisung|instruktion|vorgabe)',
  '\\b(?:du bist|sie sind) (?:jetzt|nun|ab jetzt|ab sofort|von nun an) (?:ein|eine|der|die|kein|keine|mein) |\\bneue (?:system)?(?:anweisung|instruktion)(?:en)? ?:|\\b(?:sag|sage|sagen sie|erzähl|erzähle|verrate|verraten sie)\\b[^.\\n]{0,12}\\b(?:dem|der|den) (?:benutzer|nutzer|anwender|kunden?)(?:in|n)? (?:nichts|nicht|kein wort)',
  // French
  '(?:\\bignore[rz]?|\\boublie[rz]?|\\bne (?:tiens|tenez|suis|suivez) (?:pas|plus)(?: compte)?|\\bfais abstraction|\\bfaites abstraction)\\b[^.\\n]{0,25}\\b(?:instructions?|consignes?|règles|directives|ordres|invites?)\\b[^.\\n]{0,15}(?:précédent|antérieur|ci-dessus|préalable|initiale|du système|système)',
  "\\b(?:tu es|vous êtes) (?:maintenant|désormais|à présent) (?:un|une|le|la|mon|l['’]assistant)\\b|\\bnouvelles (?:instructions|consignes) ?:|\\bne (?:le |la |l['’])?(?:dis|dites|révèle|révélez|mentionne|mentionnez)\\b[^.\\n]{0,12}(?:pas|rien)[^.\\n]{0,20} (?:à l['’]utilisateur|au client)",
  // Spanish
  '\\b(?:ignora|ignore|ignorar|olvida|olvide|descarta|descarte|omite|omita|no sigas|no siga|haz caso omiso de|haga caso omiso de)\\b[^.\\n]{0,25}\\b(?:instrucciones|indicaciones|reglas|órdenes|ordenes|directrices|directivas)\\b[^.\\n]{0,15}(?:anteriores|previas|precedentes|de arriba|iniciales|del sistema)',
  '\\b(?:ahora|desde ahora|a partir de ahora) eres (?:un|una|el|la|mi)\\b|\\bnuevas instrucciones ?:|\\bno (?:se lo|le|les) (?:digas|diga|cuentes|cuente|reveles|revele)\\b[^.\\n]{0,20}\\b(?:al|a la|a los) (?:usuario|usuaria|usuarios|cliente)',
];
// After a letter with an accent `\b` sees no end of a word: such words are matched by their beginnings.
const overriding = new RegExp(patterns.join('|'), 'i');

/** A text that tells its reader to drop the reader's own instructions, or to act against whom it works for. */
export function overridesInstructions(text: string): boolean {
  return overriding.test(asRead(text));
}

/** As a model reads it, whatever it looks like: without invisible letters, emphasis, and letters in disguise. */
function asRead(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/[’‘]/g, "'")
    .replace(/[*`~]{1,3}/g, '')
    .replace(/[^\S\n]+/g, ' ');
}

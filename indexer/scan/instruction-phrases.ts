/**
 * Phrases that speak to a model and not to a reader.
 *
 * - `strong`: tells a model to drop its instructions or to be somebody else. Documentation quotes such phrases and never
 *   means them.
 * - `medium`: asks for what a model knows or was told, or looks like a message of another party of the conversation.
 * - `weak`: says something in a way that ordinary pages have, too. Counts beside another phrase, or where it is hidden.
 *
 * All expressions are bounded and without nested repetition of the same characters, so that they take time in proportion to
 * the text.
 */

/** How sure it is that a phrase is meant for a model. */
export type Strength = "strong" | "medium" | "weak";

/** A phrase in a text. */
export interface Phrase {
  readonly start: number;
  readonly end: number;
  readonly strength: Strength;
  /** What it does, as the end of a sentence that begins with "it". */
  readonly does: string;
}

interface PhraseKind {
  readonly strength: Strength;
  readonly does: string;
  /** What each of its phrases holds, as few texts do: a text without is not looked at further. Without flags. */
  readonly hint: string;
  readonly patterns: readonly RegExp[];
}

/** What stands between two words: blanks, line ends, marks of comments, quotes and emphasis. */
const GAP = String.raw`[\s*_#>/"'\x60~-]{1,12}`;
const phrase = (source: string): RegExp => new RegExp(source.replaceAll(" ", GAP), "giu");

const DROP = String.raw`\b(?:ignore|disregard|forget|override|bypass|neglect|discard|abandon|stop following|do not follow|don['’]t follow)`;
const EARLIER = "(?:previous|previously|prior|above|preceding|earlier|foregoing)";
const OWN = "(?:existing|original|initial|current|former|safety)";
const ORDERS = String.raw`(?:instructions?|prompts?|guidelines|guardrails|programming|training)\b`;
const RULES = String.raw`(?:rules|directions|commands|constraints|directives|orders)\b`;
const TOOLS =
  "(?:send|sends|post|upload|forward|transmit|exfiltrate|leak|email|e-mail|submit|append|include|embed|report|deliver|fetch|curl|request|visit|open|load)";
const KNOWN = String.raw`(?:conversation|(?:chat|message|session) (?:history|log|transcript|context|contents?)|previous messages|user['’]s (?:data|messages|files|input|credentials)|system prompt|api keys?|credentials|access tokens?|environment variables|ssh keys?|private keys?|passwords|secrets|\.env)\b`;

const KINDS: readonly PhraseKind[] = [
  {
    strength: "strong",
    does: "tells a model to drop its instructions",
    hint: String.raw`\b(?:ignore|disregard|forget|override|bypass|neglect|discard|abandon|stop\W{1,12}following|not\W{1,12}follow|n['’]t\W{1,12}follow)\W{1,12}(?:all|any|every|each|of|the|your|my|these|those|its|their|what|and|previous|prior|above|preceding|earlier|foregoing|existing|original|initial|current|system|former|safety|other|toutes|les|tes|vos|todas|las|tus|sus|suas|as|everything)|\bignorier|vergiss|missachte|\boublie|\bignore[rz]\b|\bignora\b|\bolvid[ae]\b|esqueça|zignoruj|zapomnij|pomiń|\bignora\b|negeer|dimentica|игнорируй|忽略|无视|忘记|無視`,
    patterns: [
      phrase(
        String.raw`${DROP}(?: (?:all|any|every|each|of|the|your|my|these|those|its|their|everything|and)){0,5} (?:${EARLIER}(?: (?:and|or|[\p{L}-]{2,20})){0,3} (?:${ORDERS}|${RULES})|${OWN}(?: (?:and|or|[\p{L}-]{2,20})){0,3} ${ORDERS})`,
      ),
      phrase(
        String.raw`\b(?:ignore|disregard|forget)(?: (?:all|any|of|the|your)){0,3} (?:system|safety) (?:prompts?|instructions?|messages?|rules|guidelines)\b`,
      ),
      phrase(
        String.raw`${DROP}(?: (?:all|any|every|of|the)){0,3} (?:your|these|those|its)(?: [\p{L}-]{2,20}){0,2} (?:${ORDERS}|${RULES})`,
      ),
      phrase(
        String.raw`${DROP} (?:everything|all|anything|what|whatever)(?: (?:that|you|was|were|have|been|had|is)){0,4} (?:told|instructed|said|stated|written|learned|learnt) (?:you |to you )?(?:before|above|previously|earlier|so far|until now)\b`,
      ),
      phrase(
        String.raw`\b(?:ignoriere?n?|vergiss|missachte)(?: sie)?(?: (?:alle|die|deine|ihre|bisherigen|vorherigen|obigen|früheren)){1,4} (?:anweisungen|instruktionen|regeln|vorgaben)`,
      ),
      phrase(
        String.raw`\b(?:ignorez?|oubliez?)(?: (?:toutes|les|tes|vos)){1,3} (?:instructions|consignes|règles)(?: (?:précédentes|antérieures|ci))?`,
      ),
      phrase(
        String.raw`\b(?:ignora|ignore|olvida|olvide)(?: (?:todas|las|tus|sus)){1,3} (?:instrucciones|reglas|indicaciones)`,
      ),
      phrase(
        String.raw`\b(?:forget|ignore|disregard) everything (?:and|else|above|before|so far|until now|in your|about your|now)\b`,
      ),
      phrase(
        String.raw`\b(?:zignoruj|zapomnij|pomiń)(?:cie)?(?: (?:wszystkie|poprzednie|wcześniejsze|powyższe|swoje|o)){1,4} (?:instrukcj\p{L}{1,3}|polece\p{L}{1,4}|zasad\p{L}{0,3})`,
      ),
      phrase(
        String.raw`\b(?:ignora|dimentica)(?: (?:tutte|le|tue|precedenti|queste)){1,4} (?:istruzioni|regole|indicazioni)`,
      ),
      phrase(
        String.raw`\bnegeer(?: (?:alle|de|je|uw|vorige|eerdere|bovenstaande)){1,4} (?:instructies|regels|opdrachten)`,
      ),
      phrase(String.raw`\b(?:ignore|esqueça)(?: (?:todas|as|suas)){1,3} (?:instruções|regras)`),
      phrase(`игнорируй(?:те)?(?: (?:все|всё|предыдущие|прежние|свои)){1,3} (?:инструкции|указания|правила)`),
      /(?:忽略|无视|忘记|無視)(?:掉|你|您)?(?:之前|以上|先前|前面|上面|此前|所有)?的?(?:所有|全部|一切)?的?(?:指令|指示|提示|说明|規則|规则)/gu,
      /(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|指令)を(?:すべて)?無視/gu,
    ],
  },
  {
    strength: "strong",
    does: "tells a model to be somebody else",
    hint: String.raw`you\W{1,12}are\W{1,12}now|unrestricted|unfiltered|uncensored|jailb|\bdan\b|no\W{1,12}(?:restrictions|rules|limits|guidelines)\b|(?:developer|god|sudo)\W{1,12}mode|override\s{0,2}[:!]|(?:new|updated|real|true)\W{1,12}(?:system\W{1,12})?(?:instructions|prompt|directive)\W{1,12}(?:for|to)\W`,
    patterns: [
      phrase(
        String.raw`\byou are now (?:(?:a|an|the|my)(?: [\p{L}-]{2,20}){0,3} (?:assistant|ai|bot|chatbot|llm|hacker|persona|character)\b|dan\b|(?:in|entering)(?: [\p{L}-]{2,20}){0,2} mode\b|unrestricted|jailbroken|free (?:from|of)|no longer (?:bound|restricted|limited|an?)\b)`,
      ),
      phrase(
        String.raw`\b(?:act|behave|respond|operate) as (?:dan\b|if you (?:have|had) no (?:restrictions|rules|limits|guidelines)|an? (?:unrestricted|unfiltered|uncensored|jailbroken)\b)`,
      ),
      phrase(
        String.raw`\bpretend(?: (?:that|to))? (?:you|be)(?: (?:are|have|an?|no)){1,3} (?:unrestricted|unfiltered|uncensored|jailbroken|restrictions|rules|guidelines)`,
      ),
      phrase(
        String.raw`\b(?:enter|enable|activate|switch to)(?: [\p{L}-]{2,20})? (?:developer|god|dan|jailbreak|unrestricted|sudo) mode\b`,
      ),
      phrase(String.raw`\bsystem (?:prompt )?override\b\s{0,2}[:!]`),
      phrase(
        String.raw`\b(?:new|updated|real|true) (?:system )?(?:instructions|prompt|directive) (?:for|to) (?:the |any |all )?(?:ai|llm|assistant|agent|model)s?\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to give away its prompt",
    hint: String.raw`system\W{1,12}(?:prompt|message)|(?:initial|hidden)\W{1,12}(?:prompt|instr)|instructions\W{1,12}above|chain\W{1,12}of\W{1,12}thought`,
    patterns: [
      phrase(
        String.raw`\b(?:reveal|print|output|repeat|show|leak|disclose|dump|display|tell me|write out|recite|give me)(?: (?:me|us|all|of|back|out|verbatim)){0,3} (?:your|the)(?: (?:entire|full|complete|exact|hidden|secret|original|initial|whole)){0,2} (?:system prompt|system message|initial prompt|initial instructions|hidden instructions|instructions above|chain of thought)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to send what it knows to an address",
    hint: String.raw`conversation|(?:chat|message|session)\W{1,12}(?:hist|log|trans|cont)|previous\W{1,12}messages|user['’]s\W{1,12}(?:data|messages|files|input|cred)|system\W{1,12}prompt|api\W{1,12}keys?\b|credentials|access\W{1,12}token|environment\W{1,12}variables|(?:ssh|private)\W{1,12}key|passwords|secrets|\.env\b`,
    patterns: [
      new RegExp(
        String.raw`\b${TOOLS}${GAP}(?:[^\s<>]{1,30}\s{1,4}){0,8}?${KNOWN.replaceAll(" ", GAP)}[^\n]{0,120}?(?:https?:\/\/|\bwebhook\b|[\w.+-]{1,40}@[\w-]{1,40}\.\w)`,
        "giu",
      ),
      new RegExp(
        String.raw`\b${TOOLS}${GAP}(?:[^\s<>]{1,30}\s{1,4}){0,4}?https?:\/\/\S{1,200}\s(?:[^\s<>]{1,30}\s{1,4}){0,8}?${KNOWN.replaceAll(" ", GAP)}`,
        "giu",
      ),
    ],
  },
  {
    strength: "medium",
    does: "asks a model to hand on files of the machine that it runs on",
    hint: String.raw`~\/\.|\.ssh\/|id_rsa|id_ed25519|mcp\.json|\/etc\/passwd|\.aws\/|\.netrc`,
    patterns: [
      /\b(?:read|open|cat|load|access|fetch)\b[^\n]{0,80}(?:~\/\.|\.ssh\/|id_rsa|id_ed25519|mcp\.json|\/etc\/passwd|\.aws\/|\.netrc)[^\n]{0,120}\b(?:pass|send|include|append|provide|put|attach|return|add)(?:ing)?\b[^\n]{0,40}\b(?:as|in|into|to|with)\b/giu,
    ],
  },
  {
    strength: "medium",
    does: "changes what a model does with other tools",
    hint: String.raw`<important>|(?:when|whenever|before|if|instead\W{1,12}of)\W{1,12}(?:you\W{1,12})?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\W`,
    patterns: [
      /<\/?IMPORTANT>/gu,
      phrase(
        String.raw`\b(?:when|whenever|before|if|instead of) (?:you )?(?:use|using|call|calling|invoke|invoking)(?: (?:the|this|any|other)){0,2} (?:[\w.]{1,30}_[\w.]{1,30}|[\w.]{2,40} (?:tool|function))s?,? (?:you )?(?:must|always|first|never) (?:also |first |always )?(?:send|set|change|copy|add|forward|read|call|include|pass|use)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "puts what a model knows into the address of a picture",
    hint: String.raw`[?&=/][{<\[]{1,2}[^}>\]\n]{0,40}(?:conversation|history|context|secret|token|data|prompt|user|key|chat)`,
    patterns: [
      /(?:!\[[^\]\n]{0,200}\]\(|<img\b[^>\n]{0,200}\bsrc=["'])https?:\/\/[^)\s"']{1,200}[?&=/][{<[]{1,2}[^}>\]\n]{0,40}(?:conversation|history|context|secret|token|data|prompt|user|key|chat)/giu,
    ],
  },
  {
    strength: "medium",
    does: "asks for something to be done without asking the user",
    hint: String.raw`without\W{1,12}(?:asking|confirm|consult|informing|notifying|telling|permission|approval|user)`,
    patterns: [
      phrase(
        String.raw`\b(?:run|execute|install|download|delete|commit|push|apply|call|send)\b[^\n]{0,80}? without (?:asking|confirming|consulting|informing|notifying|telling)(?: (?:with|for))?(?: (?:the|your|any))?(?: (?:user|human|operator|person|developer|anyone|them|first|confirmation|permission))\b`,
      ),
      phrase(
        String.raw`\b(?:run|execute|install|download|delete|commit|push|apply|call|send)\b[^\n]{0,80}? without (?:the )?(?:user|human)(?:['’]s)? (?:confirmation|permission|approval|consent)\b`,
      ),
    ],
  },
  {
    strength: "medium",
    does: "looks like a message of another party of a conversation",
    hint: String.raw`<\|[a-z]|\[\/?INST\]|<<\/?SYS|<\/?(?:system|assistant|tool_|function_|antml|search_results|retrieved|untrusted)|\b(?:human|user|assistant):`,
    patterns: [
      /<\|(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id|begin_of_text|endoftext)\|>/giu,
      /\[\/?INST\]|<<\/?SYS>>/gu,
      /<\/?(?:search_results|retrieved_(?:documents?|context)|untrusted_(?:content|data))>/giu,
      /^[ \t>]{0,8}(?:Human|User): [^\n]{1,300}\n{1,3}[ \t>]{0,8}Assistant: /gimu,
      /^[ \t>]{0,8}Assistant: [^\n]{1,300}\n{1,3}[ \t>]{0,8}(?:Human|User): /gimu,
      /<\/?(?:system|assistant|tool_result|tool_response|tool_output|tool_call|function_results?|function_calls?|system[-_]reminder|system[-_]prompt|antml:[a-z_]{1,20})>/giu,
    ],
  },
  {
    strength: "weak",
    does: "asks to keep something from the user",
    hint: String.raw`(?:do\W{1,12}not|don['’]t|never|without)\W{1,12}(?:tell|inform|mention|reveal|alert|notif|disclos)`,
    patterns: [
      phrase(
        String.raw`\b(?:do not|don['’]t|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|alert|alerting|notify|notifying|disclose|disclosing)(?: (?:this|that|it|anything|about|to|these|any|of)){0,4} (?:the |your |any )?(?:user|human|operator|person|developer|customer)\b`,
      ),
    ],
  },
  {
    strength: "weak",
    does: "speaks to a model",
    hint: String.raw`\b(?:ai|llm|coding|autonomous|language)\W{1,12}(?:assistant|agent|model)|(?:for|to)\W{1,12}(?:(?:all|any|the)\W{1,12})?(?:ai|llm|assistant|agent)s?\W|if\W{1,12}you\W{1,12}are\W{1,12}an?\W`,
    patterns: [
      phrase(
        String.raw`\b(?:ai|llm|coding|autonomous|language) (?:assistants?|agents?|models?)(?: (?:reading|processing|that|who|which|this|is|are|page|file|read|reads|document)){0,6},? (?:must|should|shall|are required to|need to|have to|please)\b`,
      ),
      phrase(
        String.raw`\b(?:important|attention|note|instructions?|message) (?:for|to) (?:all |any |the )?(?:ai|llm|language model|assistant|agent)(?: (?:assistant|agent|model))?s?\s{0,2}:`,
      ),
      phrase(String.raw`\bif you are an? (?:ai|llm|large language model|language model|automated agent)\b`),
    ],
  },
];

/** The hints of all kinds at once: most texts hold none. */
const HINT = new RegExp(KINDS.map(({ hint }) => hint).join("|"), "i");
const HINTS = KINDS.map(({ hint }) => new RegExp(hint, "gi"));

/** Characters on either side of a hint in which its phrase lies. */
const AROUND = 400;
/** More hints of one kind in a file are not looked at. */
const MAX_HINTS = 2_000;

/** The phrases of a text, in the order of their places. */
export function findPhrases(text: string): Phrase[] {
  if (!HINT.test(text)) return [];
  const found: Phrase[] = [];
  for (const [at, { strength, does, patterns }] of KINDS.entries()) {
    for (const { start, end } of aroundHints(text, HINTS[at] as RegExp)) {
      const part = text.slice(start, end);
      for (const match of patterns.flatMap((pattern) => [...part.matchAll(pattern)])) {
        const from = start + match.index;
        found.push({ start: from, end: from + match[0].length, strength, does });
      }
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Parts of a text around the hints in it; those that meet are one. */
function aroundHints(text: string, hint: RegExp): { readonly start: number; readonly end: number }[] {
  const parts: { readonly start: number; end: number }[] = [];
  let count = 0;
  for (const { 0: found, index } of text.matchAll(hint)) {
    if (++count > MAX_HINTS) break;
    const start = Math.max(0, index - AROUND);
    const end = index + found.length + AROUND;
    const last = parts.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else parts.push({ start, end });
  }
  return parts;
}

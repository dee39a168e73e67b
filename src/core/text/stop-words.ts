/**
 * Words that carry no subject: they do not score unless a query has nothing else. Pure.
 *
 * English articles, pronouns, prepositions, conjunctions, auxiliaries and question words. Words that name things in
 * software (`if`, `for`, `while`, `this`, `new`, `not`, `is`) are common in prose all the same and stand here too;
 * they are indexed, and found when they are all that is asked.
 */

const STOP_WORDS = new Set(
  `a about above after again against all almost also although always am among an and any anyone anything are around as
  at be became because become becomes been before being below between both but by came can cannot could did do does
  doing done down due during each either else etc even ever every few for from further gave get gets getting give given
  gives go goes going got had has have having he hence her here hers herself him himself his how however i if in into
  is it its itself just let lets like made make makes making many may me might mine more most much must my myself near
  neither no nor not now of off often on once one only onto or other others ought our ours ourselves out over own per
  perhaps please quite rather really s same see seem seems shall she should since so some someone something somewhat
  still such t than that the their theirs them themselves then there therefore these they thing things this those
  though through thus to together too toward towards under until up upon us use used uses using very via want wants was
  way we well were what whatever when whenever where whereas wherever whether which while who whoever whole whom whose
  why will with within without would yes yet you your yours yourself yourselves im ive dont doesnt didnt cant couldnt
  shouldnt wouldnt wont isnt arent wasnt werent hasnt havent hadnt whats hows thats theres`.split(/\s+/),
);

/** True for a folded, unstemmed word that does not score. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** All of them. */
export function englishStopWords(): ReadonlySet<string> {
  return STOP_WORDS;
}

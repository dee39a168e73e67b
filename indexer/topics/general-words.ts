/**
 * English words that texts about software of any kind are full of: no concept by themselves.
 *
 * Function words are stop words of search (`src/core/text/analyze.ts`); these carry meaning, so a search scores them, but
 * they tell no subject from another.
 */

/** Verbs, adjectives and adverbs: no concept begins or ends with one, or holds one. */
const CONNECTING = `able accept accepts accordingly achieve act actual actually add added adding additional additionally affect
  affects afterwards ago ahead aim allow allowed allowing allows alone alternatively anyway appear appears apply applied applies
  appropriate approximately arbitrary ask assume assumes automatic automatically avoid aware bad based basic basically begin
  begins behave behaves believe best better bring bypass call called calling calls care careful case cases cause caused causes
  certain chance change changed changes changing check choose chooses clear clearly close come comes coming common commonly
  completely complex consider considered consist consists contain contained containing contains continue convenient correct
  correctly correspond corresponding create created creates creating currently deal decide define defined defines defining
  depend depending depends describe described describes desired determine determines differ difference differently differs
  different difficult directly disable disabled disables disallow discuss display displayed displays easier easily easy effectively
  enable enabled enables encounter end ends enforce enough ensure ensures entire entirely equal equivalent especially essentially
  eventually exact exactly exist existing exists expect expected expects explain explained explains explicit explicitly extra
  extremely fact fail failed fails false familiar far faster feel fewer final finally find finds fine finish first five fix fixed
  follow followed following follows four frequently full fully generally generate generated generates generating good great
  guarantee guaranteed handle handled handles handling happen happens hard heavy held help helpful helps hold holds idea ideal
  identical ignore ignored ignores immediately impact implement implemented implementing implements implicit implicitly important
  improve improved improves improving include included includes including incorrect incorrectly increase indicate indicates
  individual initially instead intend intended invalid involve keep keeping keeps kept know known knows large larger last
  lastly late later latest lead leads learn learning leave left less likely limited little live lives long longer look looking
  looks lot low lower main mainly maintain major manual manually mean means mention mentioned minimal minor miss missing mix
  modify multiple multiply name named necessary necessarily need needed needing needs new newer newest next nice normal normally notice
  number numerous obtain obviously occur occurs offer offers old older omit omitted ones open operate opposed optional optionally
  order original originally overall override overrides particular particularly pass passed passes passing perform performed performs
  permit pick place placed plain possible possibly potential potentially prefer preferred prepare present prevent prevented
  prevents previous previously primarily primary prior probably problematic proceed produce produced produces proper properly
  provide provided provides providing pure purely put quick quickly raise rare rarely reach read reading reads ready real
  reason reasonable reasons receive received receives recent recently recommend recommended reduce reduced reduces refer
  referred refers regardless regular regularly related relative relevant rely remain remains remember remove removed removes
  removing replace replaced replaces replacing report reported reports represent represents require required requires requiring respect respectively rest
  restart result resulting results resulted return returned returning returns right run running runs safe safely satisfy
  save saw say says search second see seen select selected send sends separate separately serve serves set sets setting several
  share shared short show showing shown shows significant significantly similar similarly simple simpler simply single skip
  slightly slow slower small smaller sole solely soon sort special specific specifically specified specifies specify
  specifying stand start started starting starts stay step stop strongly subsequent successful successfully
  sudden sufficient suggest suitable supply support supported supporting supports sure take taken takes taking talk tell tells term
  third three thus tie time times total transparently treat treated tries trigger triggered triggers true try trying turn turned
  two typical typically unable unchanged undefined understand unexpected unless unlike unlikely unnecessary unwanted unsupported useful useless usual
  usually utilize valid vary various versus view visit wait want wanted ways whatever whether wide widely wish
  wonder work worked working works worry write writes writing written wrong yield good-to-know pros cons tip tips note notes noted
  warning warnings caution info see-also todo also today currently deprecated unreleased experimental stable beta alpha
  additionally furthermore moreover nevertheless however etc e.g i.e vs via per ie eg ok please thanks introduced added update updates updated updating rename renamed organize organizing breaking broken match matches matched matching specify adopt await awaited awaiting const bundle-time comparing compared compare consuming ensure interleaving
  inside outside checked filled globally locally interact managing opt opting passing placing preserve resolving return route-level separate share shared sharing skipping step-by-step understand understanding
  upload verify verifying wait wrap wrapped wrapping wraps behind beyond chance choosing dealing enabling disabling examine explore faster
  further-reading happens increasingly instructions-for invoke invoked invokes invoking located look-up lose moved moving move occurs originally persist preferring rather
  rejected reuse reused run-time simplified simplify simplifies slower specify switch-to tell trying turning unique up-to-date varying`;

/** Nouns that every manual has: part of a concept of several words, but none alone. */
const GENERAL_NOUNS = `ability access action actions addition advantage amount answer app application applications apps approach
  area argument arguments array aspect attempt attribute attributes author background bar base baz basis behavior behaviors behaviour benefit
  benefits bit block blocks body boolean bug bugs bottom box branch bunch category change changelog chapter character
  characters choice class classes code collection column combination command commands comment comments community component
  components concept concepts condition conditions config configuration configurations consequence content contents context convention
  conventions copy count couple cost data date day decision default defaults definition demo description descriptions detail details developer
  developers development device directories directory discussion doc docs document documentation documents effect element elements
  entry environment error errors event events example examples exception execution expression extension faq feature features field
  fields file filename files flag flags folder folders foo form format formats frame framework function functionality functions general goal group groups
  guide guides hand handler heading heart history hour house ids identifier image implementation improvement information input
  inputs instance instances instruction instructions interface introduction issue issues item items job key keys keyword kind kinds language languages layer legend length level
  levels libraries library limit limitation limitations line lines link links list lists local location logic machine mechanism member
  members method methods migration minute mode modes module modules moment month motivation names need nodes node null object objects offset
  operation operations operator option options output overview package packages page pages pair pairs paragraph parameter parameters part
  parts path paths pattern patterns people period person phase piece place plan platform point points position possibility practice
  practices prerequisite prerequisites problem problems procedure process product program project projects proof properties property props
  purpose question questions quickstart range rate readme reference references release request requests requirement requirements resource resources response responses rfc
  rationale role root row rule rules sample samples scenario schema scope script scripts section sections selection sentence sequence server series session set
  settings setup shape side sign signature site size snippet software solution solutions source space stack stage standard state statement
  statements status step steps strategy string strings structure style stuff subject summary switch symbol syntax synopsis system systems table
  tag target task tasks team technique text thing title token tool tools top topic topics tree troubleshooting tutorial type types unit update updates upgrade
  usage use user users utilities utility value values variable variables variant version versions warning website week while word words workaround year
  private public remote partial static dynamic global local custom internal external native production active async asynchronous sync synchronous
  initial raw strict universal nested parent child children secret weight width height size src alt configure configures configured configuring optimize optimizes
  optimized import imports imported importing export exports exported load loads loaded loading fetch fetches fetched render renders rendered compute catch
  compress scroll upgrade install installs installed installing build builds built deploy deploys deployed debug debugs print
  produce throw throws thrown parse parses parsed listen register registers registered connect connected copy delete deleted edit merge merged
  scale search sync bundle bundles bundled compile compiled inject injected inline interactive mark mutate navigate prepend
  append refresh reload resolve resolved resolves retry revert rewrite serialize store stored stream streams streamed stringify subscribe throttle track
  transform transforms transpile transition trigger validate validated visible hidden empty root base left right top bottom first
  history-version self id ids url urls number numbers name names client http https json html css api apis js ts jsx tsx md mdx web client-side`;

/** Of these nouns those that name something together: `server component`, `event handler`, `error boundary`. */
const TELLING = `api application argument attribute block body cache class classes client component components condition
  content context copy css device element elements environment error errors event events expression extension feature flag form forms frame
  framework function functions fetch export import build dynamic global parent child production render search static store stream transform bundle nested private public remote group handler header history html image images input instance interface javascript key layer layout
  library line link links local machine member method migration mode module modules node object operator package packages page
  path paths pattern pipeline platform plugin process program property proxy role root row rule schema scope script scripts server session
  site snippet space stack state statement step string strings style switch symbol syntax system table tag target task text token tool tree type
  types unit user utility variable variables version web website workaround`;

const connecting = new Set(CONNECTING.split(/\s+/));
const nouns = new Set(GENERAL_NOUNS.split(/\s+/));
const telling = new Set(TELLING.split(/\s+/));

/** Whether a folded English word ties others together: no concept has it. */
export function isConnecting(word: string): boolean {
  return connecting.has(word);
}

/** Whether a folded English word is no concept where it stands alone. */
export function isGeneral(word: string): boolean {
  return nouns.has(word);
}

/** Whether a folded English word says so little that several of them are no concept either. */
export function isFiller(word: string): boolean {
  return nouns.has(word) && !telling.has(word);
}

/**
 * Analyzers of all languages. English has a file of its own (`analyze.ts`), so that who reads English only need not
 * load the stemmers of all the others.
 */
/// <reference path="./snowball-stemmers.d.ts" />
import * as snowball from "snowball-stemmers";
import { type Analyzer, createAnalyzer, ENGLISH } from "./analyze.ts";
import type { Language } from "./language.ts";
import { foldText, stemWord } from "./normalize.ts";

const LETTERS = /^[\p{L}\p{M}]+$/u;
const LATIN = /^[a-z]+$/;

/** Languages of other scripts: words in Latin letters among theirs are English. */
const NOT_LATIN: ReadonlySet<Language> = new Set(["arabic", "armenian", "russian", "tamil"]);
/** Languages whose stemmer gives the same stems without accents as with them, or whose scripts have none. */
const STEMMED_WITHOUT_ACCENTS: ReadonlySet<Language> = new Set([...NOT_LATIN, "german", "none"]);

/** Articles and other short words that lose their vowel before the next word. */
const ELISIONS: Partial<Readonly<Record<Language, readonly string[]>>> = {
  catalan: ["l", "d", "m", "t", "s", "n"],
  french: ["l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"],
  italian:
    "l c d m n s t v un all dall dell nell sull agl dagl degl negl sugl coll gl quell quest dov com anch nessun".split(
      " ",
    ),
  irish: ["d", "m", "b"],
};

const analyzers = new Map<Language, Analyzer>([["english", ENGLISH]]);

/** The analyzer of a language, always the same one. */
export function analyzerOf(language: Language): Analyzer {
  const known = analyzers.get(language);
  if (known !== undefined) return known;
  const elisions = ELISIONS[language];
  const analyzer = createAnalyzer({
    stem: createStemmer(language),
    stemsAccents: !STEMMED_WITHOUT_ACCENTS.has(language),
    stopWords: stopWordsOf(language),
    elisions: elisions === undefined ? undefined : new Set(elisions),
  });
  analyzers.set(language, analyzer);
  return analyzer;
}

function createStemmer(language: Language): (word: string) => string {
  if (language === "none") return (word) => word;
  const stemmer = snowball.newStemmer(language);
  const isEnglish = (word: string): boolean => NOT_LATIN.has(language) && LATIN.test(word);
  return (word) => {
    if (isEnglish(word)) return stemWord(word);
    // Some stemmers take the only letter of a word away.
    return LETTERS.test(word) ? stemmer.stem(word) || word : word;
  };
}

const LISTS: Partial<Readonly<Record<Language, string>>> = {
  german: `aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis bist
    da damit dann das dass dazu dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses
    doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gibt hab habe haben hat hatte
    hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder
    jedes jener kann kannst kein keine keinem keinen können könnt könnte mache machen man mehr mein meine mich mir mit
    möchte muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie
    sind so solche soll sollen sollte sondern sonst über um und uns unser unsere unter vom von vor wann war waren warum
    was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo woher wohin wurde
    wurden würde würden zu zum zur zwischen`,
  french: `a à afin ai ainsi alors après au aucun aucune aussi autre autres aux avant avec avoir avons avez car ce ceci
    cela celle celles celui ces cet cette ceux chaque chez ci comme comment contre dans de depuis des donc dont du elle
    elles en encore entre es est et étaient était été être eu eux fait faire faut il ils je jusque la là laquelle le
    lequel les lesquelles lesquels leur leurs lors lorsque lui ma mais me même mes moi mon ne ni non nos notre nous on
    ont ou où par parce pas pendant peut peuvent peux plus plusieurs pour pourquoi puis puisque quand que quel quelle
    quelles quels qui quoi sa sans se sera ses si sinon soi soit son sont sous sur ta te tes toi ton tous tout toute
    toutes très tu un une vos votre vous y`,
  spanish: `a al algo algún alguna algunas alguno algunos ambos ante antes aquel aquella aquellas aquello aquellos así
    aunque cada como cómo con contra cual cuál cuales cuáles cuando cuándo cuanto de del desde donde dónde durante e el
    él ella ellas ello ellos en entre era eran eres es esa esas ese eso esos esta está estaba están estar estas este
    esto estos estoy fue fueron ha había han hasta hay he la las le les lo los más me mediante mi mis mucho muy nada ni
    no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque puede pueden puedo que qué
    quien quién quiénes se sea según ser será si sí sido sin sino sobre son soy su sus también tan te tiene tienen todo
    todos tu tus un una unas uno unos usted ustedes y ya yo`,
  italian: `a ad agli ai al alla alle allo altra altre altri altro anche ancora avere aveva c che chi ci cioè come con
    contro cosa cui d da dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove dunque durante e
    è ed era erano essere fa fare fino fra fu gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi
    mia mio molto ne né negli nei nel nella nelle nello noi non nostra nostro o ogni oppure per perché però più poi può
    puoi possono posso prima qual quale quali quando quanto quella quelle quelli quello questa queste questi questo qui
    quindi se sé sei senza si sia siamo sono sotto stata stato su sua sue sugli sui sul sulla sulle sullo suo suoi
    tra tu tua tuo tutta tutte tutti tutto un una uno vi voi`,
  portuguese: `a à ao aos aquela aquelas aquele aqueles aquilo as às até através cada com como contra cuja cujo da das de
    dela delas dele deles depois desde dessa desse desta deste disso do dos durante e é ela elas ele eles em enquanto
    entre era eram essa essas esse esses esta está estão estar estas este estes estou eu foi foram há isso isto já lhe
    mais mas me mesmo meu meus minha muito na nas nem no nos nós nossa nosso não num numa o onde os ou outra outras
    outro outros para pela pelas pelo pelos pode podem por porque porquê posso qual quais quando quanto que quê quem se
    seja sem sempre ser será seu seus si sido só sob sobre sua suas também te tem têm tenho ter teu toda todas todo
    todos tu tua um uma umas uns você vocês`,
  dutch: `aan al alle alleen als andere ben bij daar dan dat de deze die dit doen door dus een elk elke en er geen
    had hadden hebben hebt heeft hem het hier hij hoe hun iets ik in is je jij jou jouw jullie kan kon kunnen kunt maar
    maken me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over sinds te
    tegen tot tussen u uit uw van veel via voor waar waarom wanneer want waren was wat we wel welk welke werd werden wie
    wij wil word worden wordt ze zal zelf zich zij zijn zo zonder zou zouden zullen`,
  russian: `а без более будет будут бы был была были было быть в вам вас ваш ваша ваши весь во вот все всего всех всё вы
    где да даже для до его ее её ей ему если есть еще ещё же за здесь зачем и из или им их к как какая какие какой
    какого когда которая которого которой которые который которых кто куда ли либо между меня мне много можно мой моя мы на над надо
    наш наша не него нее неё ней нельзя нет ни них но ну нужно о об один однако он она они оно от очень перед по под
    после потому почему при про с сам свой своего своей свои себя сейчас со так также такая такие такой там тебя тем то
    того тоже той только том тот ту тут ты у уже хотя чего чей чем что чтобы чьи эта эти этих это этого этой этом этот
    эту я`,
  swedish: `all alla allt än andra annan annat är att av bara blev bli blir både då där de dem den denna deras dess dessa
    det detta dig din dina ditt dock du eller en er era ett för före från genom gör göra ha hade han hans har hela henne
    hennes här hon honom hur hos i icke ifrån igen in ingen inget inte istället ja jag kan kunde kommer man med mellan
    men mer mig min mina mitt mot mycket må måste när någon något några ni nu och också om oss på sedan sig sin sina
    sitt ska skall skulle som så sådan sätt till under upp ut utan vad var vara varför varit varje vart vem vems vi
    via vid vilka vilken vilket vill vår våra vårt`,
};

/** The folded stop words of a language; none where there is no list. English has a longer one of its own. */
function stopWordsOf(language: Language): ReadonlySet<string> {
  const list = LISTS[language] ?? "";
  return new Set(list.split(/\s+/).filter(Boolean).map(foldText));
}

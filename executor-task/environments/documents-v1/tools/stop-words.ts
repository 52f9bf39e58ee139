export const stopWordLanguages = ['en', 'de', 'none'] as const;
export type StopWordLanguage = (typeof stopWordLanguages)[number];

const english = `a about above after again all also am an and any are aren't as at be because been before being below
between both but by can can't cannot could did didn't do does doesn't doing don't down during each either else ever
every few for from further had has have having he her here hers him his how if in into is isn't it its itself just less
may me might more most much must my neither never no nor not now of off on once one only or other our ours out over own
per same shall she should so some such than that the their theirs them then there these they this those though through
to too under until up upon us very was wasn't we were what when where whether which while who whom whose why will with
within without won't would yet you your yours`;

const german = `aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf
aus bei bin bis bist da damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser
dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben
hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder
jedes jene jetzt kann kein keine keinem keinen keiner können könnte man mein meine mich mir mit muss nach nicht nichts
noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so solche soll sollte sondern sonst über um
und uns unser unter viel vom von vor war waren was weil welche welcher wenn werde werden wie wieder will wir wird wo
wollen zu zum zur zwar zwischen`;

export const stopWords: Readonly<Record<StopWordLanguage, ReadonlySet<string>>> = {
  en: new Set(english.split(/\s+/)),
  de: new Set(german.split(/\s+/)),
  none: new Set(),
};

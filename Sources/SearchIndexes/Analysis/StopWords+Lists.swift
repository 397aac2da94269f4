extension StopWords {
    /// Function words by language: articles, pronouns, prepositions, conjunctions, auxiliaries in their common forms.
    static let lists: [String: String] = [
        "english": """
        a about above after again against all am an and any are aren as at be because been before being below between
        both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had
        hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
        just me more most mustn my myself no nor not now of off on once only or other our ours ourselves out over own
        same shan she should shouldn so some such than that the their theirs them themselves then there these they this
        those through to too under until up very was wasn we were weren what when where which while who whom why will
        with won would wouldn you your yours yourself yourselves
        """,
        "german": """
        aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei
        beim bin bis bist da dadurch damit dann das dass daß dein deine deinem deinen deiner dem den denn der deren des
        dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines
        einige einigen einiger er es etwas euch euer eure für gegen gewesen hab habe haben hat hatte hatten hier hin
        hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jene
        jener jetzt kann kein keine keinem keinen keiner können könnte machen man manche mein meine meinem meinen meiner
        mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst
        sich sie sind so solche solchen soll sollte sondern sonst über um und uns unser unsere unter viel vom von vor
        war waren warst was weg weil weiter welche welchem welchen welcher wenn wer werde werden wie wieder will wir
        wird wirst wo wollen wollte wurde wurden während würde würden zu zum zur zwar zwischen
        """,
        "french": """
        ai aient ainsi ait alors après as au aucun aucune aura aurait aussi autre autres aux avaient avait avant avec
        avez avoir avons ayant bien car ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez comme
        comment contre dans de depuis des deux donc dont du elle elles en encore entre es est et étaient était étant
        été être eu eux fait faire fois font furent fut hors ici il ils je jusque la là le les leur leurs lors lorsque
        lui ma mais me même mêmes mes moi moins mon ne ni non nos notre nous on ont ou où par parce pas pendant peu peut
        peuvent plus pour pourquoi puis quand que quel quelle quelles quelque quelques quels qui quoi sa sans se selon
        sera serait seront ses si sien soi soient soit sommes son sont sous suis sur ta tandis te tel telle telles tels
        tes toi ton tous tout toute toutes très trop tu un une vers voici voilà vos votre vous
        """,
        "spanish": """
        al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aquí así aun
        aunque bajo bien cada casi como con contra cual cuales cualquier cuando cuanto de del desde donde dos durante el
        él ella ellas ello ellos en entonces entre era eran eras eres es esa esas ese eso esos esta está estaba estaban
        estado están estar estas este esto estos estoy fue fueron fui ha había habían haber hace hacia han has hasta hay
        he hemos la las le les lo los luego más me mi mí mientras mis mismo misma mucho muchos muy nada ni no nos
        nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para pero poco por porque pues que
        qué quien quién quienes se sea sean según ser será si sí sido siempre sin sino sobre sois son soy su sus suya
        suyo también tan tanto te tenía tener tengo ti tiene tienen toda todas todavía todo todos tras tu tú tus tuve un
        una unas uno unos usted ustedes va vosotros y ya yo
        """,
        "italian": """
        abbia abbiamo agli ai al alcuna alcune alcuni alcuno alla alle allo allora altra altre altri altro anche ancora
        avere aveva avevano avuto c che chi ci cioè ciò coi col come con contro cosa così cui da dagli dai dal dalla
        dalle dallo degli dei del dell della delle dello dentro di dopo dove due dunque e è ed egli ella era erano essa
        esse essere essi essendo fa fino fra già gli ha hai hanno ho i il in io la le lei li lo loro lui ma me meno mentre
        mi mia mie miei mio molta molti molto ne né negli nei nel nell nella nelle nello nessuno noi non nostra nostre
        nostri nostro nulla o od ogni ognuno oltre oppure ora per perché però piu più poco poi prima proprio può qua
        quale quali qualche quando quanto quasi quella quelle quelli quello questa queste questi questo qui quindi sarà
        se sé sei sempre senza si sia siamo siano siete sono sopra sotto sta stata state stati stato stesso su sua sue
        sugli sui sul sulla sulle sullo suo suoi tale tali tanto te ti tra tu tua tue tuo tuoi tutta tutte tutti tutto un
        una uno verso vi voi vostra vostre vostri vostro
        """,
        "portuguese": """
        a à ainda além algo alguém algum alguma algumas alguns ali ambos ante antes ao aos apenas após aquela aquelas
        aquele aqueles aquilo as às até bem cada com como contra contudo da daquele das de dela delas dele deles depois
        desde dessa desse desta deste do dos durante e é ela elas ele eles em embora enquanto entre era eram essa essas
        esse esses esta está estão estar estas estava estavam este estes estou eu foi fomos for foram fosse há isso isto
        já la lhe lhes lo logo mais mas me mesmo meu meus mim minha minhas muito muitos na nada não nas nem nenhum nessa
        nesse nesta neste no nos nós nossa nossas nosso nossos num numa nunca o onde os ou outra outras outro outros para
        pela pelas pelo pelos per perante pode pois por porém porque pouco pouca própria próprio qual quais quando quanto
        que quem quer se sem sempre sendo ser será seu seus si sido sob sobre são só sua suas também tanto te tem têm tendo
        ter teu teus tinha tinham toda todas todo todos tu tua tuas tudo um uma umas uns você vocês vos vosso
        """,
        "dutch": """
        aan achter al alle alles als altijd andere anders ben bent bij binnen boven buiten daar daarom dan dat de deze die
        dit doch doen dood door dus echter een eens elk elke en er ergens even ge geen geweest gaan haar had hadden heb
        hebben heeft hem hen het hier hij hoe hun ieder iedere iemand iets ik in is ja je jij jou jouw jullie kan kon
        kunnen maar me meer men met mij mijn moet moeten mogen na naar naast niet niets nog nooit nu of om omdat onder
        ons onze ook op over reeds sinds steeds te tegen ten ter terwijl toch toen tot tussen u uit uw vaak van vanaf veel
        verder via volgens voor vooral waar waarom wanneer want waren was wat we weer wel welk welke werd werden wie wij wil
        worden wordt zal ze zelf zich zij zijn zo zoals zonder zou zouden zullen
        """,
        "swedish": """
        all alla allt alltså andra att av bara blev bli blir blivit bort bra både båda de deg dem den denna deras dess
        dessa det detta dig din dina ditt dit dock du där därför då efter eller en er era ert ett ej få får för före från
        genom gick gjorde gör göra ha hade han hans har hela hellre henne hennes hon honom hur här i icke igen in inga
        ingen inget innan inne inom inte ja jag kan kom komma kommer kunde kunna man med mellan men mera mest mig min mina
        mitt mot mycket må måste ned ner nej ni nog nu när någon något några och också om oss på redan samma samt sedan
        ser sig sin sina sitt själv ska skall skulle som så sådan sådana sådant till under upp ut utan utom vad var vara
        varför varit varje varken vars vart vem verka vi vid vidare vilka vilken vilket vill visst väl vår våra vårt än
        ännu är åt över
        """,
    ]
}

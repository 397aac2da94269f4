/// A short text in each language, written for this purpose: what profiles are learned from.
///
/// The texts contain many of the short words that every text in their language has. Languages are identified by the
/// frequencies of letter trigrams.
enum LanguageSamples {
    /// Code of ISO 639-1 and text; scripts that one language has to itself need none.
    static let latin: [(code: String, text: String)] = [
        (
            "en",
            """
            When the night is clear, the people who work at the station open the roof and look for what has changed since
            the day before. They have been doing this for more than thirty years, and they would not give it up for
            anything. There is always something that nobody has seen yet, and it is often where you did not think to look.
            If you ask them why they do it, they will say that the sky does not care about us, but that we should care
            about it. Which of these things could be made better? We were told that each of them was built with great
            care, by hand, from what was left over after the war. You can still read the names of those who made it. I
            think that this is how things ought to be: one knows whom to thank. Please write down what you find, and
            then show it to your friends with their own notes, because two people see more than one.
            """
        ),
        (
            "de",
            """
            Wenn die Nacht klar ist, öffnen die Leute, die auf der Station arbeiten, das Dach und schauen nach, was sich
            seit dem letzten Tag verändert hat. Das machen sie schon seit mehr als dreißig Jahren, und sie würden es für
            nichts auf der Welt aufgeben. Es gibt immer etwas, das noch niemand gesehen hat, und oft ist es dort, wo man
            nicht gesucht hätte. Fragt man sie, warum sie das tun, so sagen sie, dass sich der Himmel nicht um uns
            kümmert, wir uns aber um ihn kümmern sollten. Welche von diesen Dingen könnte man besser machen? Uns wurde
            erzählt, dass jedes davon mit großer Sorgfalt von Hand gebaut worden ist, aus dem, was nach dem Krieg noch
            übrig war. Ich glaube, so sollte es auch sein: Man weiß, wem man zu danken hat. Bitte schreiben Sie auf, was
            Sie gefunden haben, und zeigen Sie es dann auch den anderen, weil zwei mehr sehen als einer.
            """
        ),
        (
            "fr",
            """
            Quand la nuit est claire, les gens qui travaillent à la station ouvrent le toit et regardent ce qui a changé
            depuis la veille. Ils font cela depuis plus de trente ans et ne l'abandonneraient pour rien au monde. Il y a
            toujours quelque chose que personne n'a encore vu, et c'est souvent là où l'on n'aurait pas pensé à regarder.
            Si vous leur demandez pourquoi ils le font, ils vous diront que le ciel ne se soucie pas de nous, mais que
            nous devrions nous soucier de lui. Lesquelles de ces choses pourrait-on faire mieux ? On nous a dit que
            chacune d'elles a été construite avec beaucoup de soin, à la main, avec ce qui restait après la guerre. Je
            crois que c'est ainsi que cela doit être : on sait qui il faut remercier. Écrivez s'il vous plaît ce que vous
            avez trouvé, puis montrez-le aux autres, parce que deux personnes voient plus qu'une seule.
            """
        ),
        (
            "es",
            """
            Cuando la noche está clara, las personas que trabajan en la estación abren el techo y miran lo que ha cambiado
            desde el día anterior. Llevan más de treinta años haciéndolo y no lo dejarían por nada del mundo. Siempre hay
            algo que nadie ha visto todavía, y muchas veces está donde uno no habría pensado mirar. Si les preguntas por
            qué lo hacen, dirán que al cielo no le importamos, pero que a nosotros sí nos debe importar. ¿Cuáles de estas
            cosas se podrían hacer mejor? Nos contaron que cada una de ellas fue construida con mucho cuidado, a mano,
            con lo que quedó después de la guerra. Yo creo que así tiene que ser: uno sabe a quién dar las gracias.
            Escriba usted por favor lo que encuentre y muéstrelo después a los demás, porque dos ven más que uno solo.
            También puede volver mañana, si hoy ya es demasiado tarde para ello.
            """
        ),
        (
            "pt",
            """
            Quando a noite está clara, as pessoas que trabalham na estação abrem o telhado e olham para o que mudou desde
            o dia anterior. Fazem isso há mais de trinta anos e não o deixariam por nada deste mundo. Há sempre alguma
            coisa que ninguém viu ainda, e muitas vezes está onde a gente não teria pensado em olhar. Se lhes perguntar
            por que o fazem, vão dizer que o céu não quer saber de nós, mas que nós devemos querer saber dele. Quais
            destas coisas poderiam ser feitas melhor? Disseram-nos que cada uma delas foi construída com muito cuidado, à
            mão, com o que restou depois da guerra. Eu acho que é assim que deve ser: sabe-se a quem agradecer. Escreva,
            por favor, o que você encontrar e mostre-o depois aos outros, porque dois veem mais do que um só. Também pode
            voltar amanhã, se hoje já for tarde demais. Então até logo, e não se esqueça das chaves.
            """
        ),
        (
            "it",
            """
            Quando la notte è limpida, le persone che lavorano alla stazione aprono il tetto e guardano che cosa è
            cambiato dal giorno prima. Lo fanno da più di trent'anni e non vi rinuncerebbero per niente al mondo. C'è
            sempre qualcosa che nessuno ha ancora visto, e spesso si trova dove non si sarebbe pensato di guardare. Se si
            chiede loro perché lo fanno, dicono che al cielo non importa di noi, ma che a noi deve importare di lui.
            Quali di queste cose si potrebbero fare meglio? Ci hanno detto che ognuna di esse è stata costruita con
            grande cura, a mano, con quello che era rimasto dopo la guerra. Io credo che debba essere così: si sa chi
            bisogna ringraziare. Scriva per favore quello che trova e poi lo mostri anche agli altri, perché due vedono
            più di uno solo. Può anche tornare domani, se oggi è già troppo tardi.
            """
        ),
        (
            "nl",
            """
            Als de nacht helder is, openen de mensen die op het station werken het dak en kijken ze naar wat er sinds de
            vorige dag veranderd is. Dat doen ze al meer dan dertig jaar, en ze zouden het voor niets ter wereld willen
            opgeven. Er is altijd wel iets dat nog niemand heeft gezien, en vaak is het daar waar je niet gezocht zou
            hebben. Als je hun vraagt waarom ze het doen, dan zeggen ze dat de hemel niet om ons geeft, maar dat wij wel
            om hem moeten geven. Welke van deze dingen zouden beter kunnen? Ons werd verteld dat elk ervan met grote zorg
            met de hand gebouwd is, uit wat er na de oorlog nog over was. Ik denk dat het ook zo hoort te zijn: je weet
            wie je moet bedanken. Schrijft u alstublieft op wat u hebt gevonden en laat het daarna ook aan de anderen
            zien, omdat twee mensen meer zien dan een. U kunt ook morgen terugkomen, als het vandaag te laat is geworden.
            """
        ),
        (
            "sv",
            """
            När natten är klar öppnar de som arbetar på stationen taket och tittar efter vad som har förändrats sedan
            dagen innan. Det har de gjort i mer än trettio år, och de skulle inte sluta med det för något i världen. Det
            finns alltid någonting som ingen har sett ännu, och ofta är det där man inte hade tänkt på att leta. Om man
            frågar dem varför de gör det, så säger de att himlen inte bryr sig om oss, men att vi borde bry oss om den.
            Vilka av de här sakerna skulle kunna göras bättre? Vi fick höra att var och en av dem byggdes för hand och med
            stor omsorg, av det som blev över efter kriget. Jag tror att det är så det ska vara: man vet vem man ska
            tacka. Skriv gärna ner vad du hittar och visa det sedan också för de andra, eftersom två ser mer än en. Du kan
            även komma tillbaka i morgon, när det har blivit för sent i dag.
            """
        ),
        (
            "da",
            """
            Når natten er klar, åbner de mennesker, der arbejder på stationen, taget og ser efter, hvad der har ændret sig
            siden dagen før. Det har de gjort i mere end tredive år, og de ville ikke holde op med det for noget i verden.
            Der er altid noget, som ingen har set endnu, og ofte er det der, hvor man ikke havde tænkt på at lede. Hvis
            man spørger dem, hvorfor de gør det, siger de, at himlen ikke bryder sig om os, men at vi bør bryde os om den.
            Hvilke af disse ting kunne gøres bedre? Vi fik at vide, at hver af dem blev bygget i hånden og med stor omhu,
            af det, der var tilbage efter krigen. Jeg tror, at det er sådan, det skal være: man ved, hvem man skal takke.
            Skriv venligst ned, hvad du finder, og vis det så også til de andre, fordi to ser mere end en. Du kan også
            komme tilbage i morgen, hvis det er blevet for sent i dag. Hvad synes du selv, at vi skal gøre nu?
            """
        ),
        (
            "nb",
            """
            Når natten er klar, åpner de som arbeider på stasjonen taket og ser etter hva som har forandret seg siden
            dagen før. Det har de gjort i mer enn tretti år, og de ville ikke gitt det opp for noe i verden. Det er alltid
            noe som ingen har sett ennå, og ofte er det der man ikke hadde tenkt på å lete. Hvis man spør dem hvorfor de
            gjør det, sier de at himmelen ikke bryr seg om oss, men at vi bør bry oss om den. Hvilke av disse tingene
            kunne vært gjort bedre? Vi fikk høre at hver av dem ble bygd for hånd og med stor omhu, av det som var igjen
            etter krigen. Jeg tror at det er slik det skal være: man vet hvem man skal takke. Skriv gjerne ned hva du
            finner, og vis det så også til de andre, fordi to ser mer enn en. Du kan også komme tilbake i morgen, hvis det
            har blitt for sent i dag. Hva synes du selv at vi skal gjøre nå? Jeg vet ikke hvor mye tid vi har igjen.
            """
        ),
        (
            "fi",
            """
            Kun yö on kirkas, asemalla työskentelevät ihmiset avaavat katon ja katsovat, mikä on muuttunut edellisen päivän
            jälkeen. He ovat tehneet sitä jo yli kolmekymmentä vuotta, eivätkä he luopuisi siitä mistään hinnasta. Aina on
            jotakin, mitä kukaan ei ole vielä nähnyt, ja usein se on siellä, mistä ei olisi tullut mieleen etsiä. Jos
            heiltä kysyy, miksi he tekevät niin, he sanovat, että taivas ei välitä meistä, mutta meidän pitäisi välittää
            siitä. Mitkä näistä asioista voisi tehdä paremmin? Meille kerrottiin, että jokainen niistä on rakennettu käsin
            ja suurella huolella siitä, mitä sodan jälkeen oli jäljellä. Minusta asian pitääkin olla niin: silloin tietää,
            ketä on kiitettävä. Kirjoittakaa ylös, mitä löydätte, ja näyttäkää se sitten myös muille, koska kaksi näkee
            enemmän kuin yksi. Voitte tulla takaisin myös huomenna, jos tänään on jo liian myöhäistä.
            """
        ),
        (
            "pl",
            """
            Kiedy noc jest pogodna, ludzie, którzy pracują na stacji, otwierają dach i patrzą, co się zmieniło od
            poprzedniego dnia. Robią to już od ponad trzydziestu lat i nie zrezygnowaliby z tego za nic w świecie. Zawsze
            jest coś, czego jeszcze nikt nie widział, i często znajduje się to tam, gdzie nikt by nie szukał. Jeśli się
            ich zapyta, dlaczego to robią, mówią, że niebo nie dba o nas, ale my powinniśmy dbać o nie. Które z tych
            rzeczy można by zrobić lepiej? Powiedziano nam, że każda z nich została zbudowana ręcznie i z wielką
            starannością, z tego, co zostało po wojnie. Myślę, że tak właśnie powinno być: wiadomo, komu trzeba
            podziękować. Proszę zapisać, co pan znalazł, a potem pokazać to także innym, ponieważ dwoje widzi więcej niż
            jeden. Może pani również wrócić jutro, jeżeli dzisiaj jest już za późno.
            """
        ),
        (
            "cs",
            """
            Když je noc jasná, lidé, kteří pracují na stanici, otevřou střechu a dívají se, co se změnilo od předchozího
            dne. Dělají to už více než třicet let a nevzdali by se toho za nic na světě. Vždycky je něco, co ještě nikdo
            neviděl, a často je to tam, kde by to člověk nehledal. Když se jich zeptáte, proč to dělají, řeknou vám, že
            nebe se o nás nestará, ale že my bychom se o ně starat měli. Které z těchto věcí by se daly udělat lépe? Bylo
            nám řečeno, že každá z nich byla postavena ručně a s velkou péčí z toho, co zbylo po válce. Myslím, že to tak
            má být: člověk ví, komu má poděkovat. Napište prosím, co jste našli, a pak to ukažte také ostatním, protože
            dva vidí více než jeden. Můžete se také vrátit zítra, jestliže je dnes už příliš pozdě. Jak dlouho ještě
            budeme muset čekat, než se něco stane?
            """
        ),
        (
            "hu",
            """
            Amikor tiszta az éjszaka, az állomáson dolgozó emberek kinyitják a tetőt, és megnézik, hogy mi változott meg az
            előző nap óta. Már több mint harminc éve csinálják ezt, és semmiért a világon nem hagynák abba. Mindig van
            valami, amit még senki sem látott, és ez gyakran ott van, ahol nem jutott volna eszünkbe keresni. Ha
            megkérdezik tőlük, miért teszik, azt mondják, hogy az ég nem törődik velünk, de nekünk törődnünk kell vele.
            Melyiket lehetne ezek közül a dolgok közül jobban csinálni? Azt mesélték, hogy mindegyik kézzel és nagy
            gonddal épült abból, ami a háború után megmaradt. Szerintem ennek így is kell lennie: tudjuk, kinek tartozunk
            köszönettel. Kérem, írja le, amit talált, és mutassa meg aztán a többieknek is, mert két ember többet lát,
            mint egy. Holnap is visszajöhet, ha ma már túl késő van.
            """
        ),
        (
            "ro",
            """
            Când noaptea este senină, oamenii care lucrează la stație deschid acoperișul și se uită la ce s-a schimbat față
            de ziua dinainte. Fac acest lucru de mai mult de treizeci de ani și nu ar renunța la el pentru nimic în lume.
            Există întotdeauna ceva ce nimeni nu a văzut încă, și de multe ori se află acolo unde nu te-ai fi gândit să
            te uiți. Dacă îi întrebi de ce o fac, îți vor spune că cerului nu îi pasă de noi, dar că nouă ar trebui să ne
            pese de el. Care dintre aceste lucruri ar putea fi făcute mai bine? Ni s-a spus că fiecare dintre ele a fost
            construit cu mare grijă, de mână, din ceea ce a rămas după război. Eu cred că așa trebuie să fie: știi cui să
            îi mulțumești. Vă rog să scrieți ce ați găsit și să arătați apoi și celorlalți, pentru că doi văd mai mult
            decât unul singur. Puteți să veniți și mâine, dacă astăzi este deja prea târziu.
            """
        ),
        (
            "tr",
            """
            Gece açık olduğunda, istasyonda çalışan insanlar çatıyı açar ve bir önceki günden beri nelerin değiştiğine
            bakarlar. Bunu otuz yıldan fazla bir süredir yapıyorlar ve dünyada hiçbir şey için bundan vazgeçmezlerdi. Her
            zaman henüz kimsenin görmediği bir şey vardır ve çoğu zaman insanın bakmayı düşünmediği bir yerdedir. Onlara
            bunu neden yaptıklarını sorarsanız, gökyüzünün bizi umursamadığını, ama bizim onu umursamamız gerektiğini
            söylerler. Bu şeylerden hangileri daha iyi yapılabilir? Bize her birinin savaştan sonra kalanlardan, elle ve
            büyük bir özenle yapıldığı anlatıldı. Bence böyle olması da gerekir: kime teşekkür edileceği bilinir. Lütfen
            ne bulduğunuzu yazın ve sonra onu başkalarına da gösterin, çünkü iki kişi bir kişiden daha çok görür. Bugün
            artık çok geç olduysa yarın da gelebilirsiniz. Şimdi ne yapmamız gerektiğini bilmiyorum.
            """
        ),
        (
            "id",
            """
            Ketika malam cerah, orang-orang yang bekerja di stasiun itu membuka atap dan melihat apa yang telah berubah
            sejak hari sebelumnya. Mereka sudah melakukannya selama lebih dari tiga puluh tahun, dan mereka tidak akan
            meninggalkannya untuk apa pun di dunia ini. Selalu ada sesuatu yang belum pernah dilihat oleh siapa pun, dan
            sering kali hal itu berada di tempat yang tidak terpikirkan oleh kita. Jika Anda bertanya kepada mereka
            mengapa mereka melakukannya, mereka akan mengatakan bahwa langit tidak peduli kepada kita, tetapi kita harus
            peduli kepadanya. Mana dari barang-barang ini yang dapat dibuat dengan lebih baik? Kami diberi tahu bahwa
            setiap barang itu dibangun dengan tangan dan dengan sangat hati-hati dari apa yang tersisa setelah perang.
            Saya pikir memang seharusnya begitu. Silakan tulis apa yang Anda temukan, lalu tunjukkan juga kepada yang
            lain, karena dua orang melihat lebih banyak daripada satu.
            """
        ),
        (
            "vi",
            """
            Khi đêm trời trong, những người làm việc ở trạm mở mái nhà và xem những gì đã thay đổi so với ngày hôm trước. Họ
            đã làm việc này hơn ba mươi năm và sẽ không từ bỏ nó vì bất cứ điều gì trên đời. Luôn luôn có một cái gì đó
            mà chưa ai nhìn thấy, và nó thường ở nơi mà chúng ta không nghĩ đến. Nếu bạn hỏi tại sao họ làm như vậy, họ
            sẽ nói rằng bầu trời không quan tâm đến chúng ta, nhưng chúng ta nên quan tâm đến nó. Những thứ nào trong số
            này có thể được làm tốt hơn? Người ta kể cho chúng tôi rằng mỗi thứ đều được làm bằng tay rất cẩn thận từ
            những gì còn lại sau chiến tranh. Tôi nghĩ rằng nên như thế. Xin hãy viết ra những gì bạn tìm thấy rồi cho
            những người khác xem, bởi vì hai người thấy nhiều hơn một người.
            """
        ),
    ]
}

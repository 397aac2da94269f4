/// Sentences written for the tests, none of them from the texts that profiles are learned from.
enum LanguageSentences {
    static let all: [(code: String, sentences: [String])] = [
        (
            "en",
            [
                "The mirror must be cleaned twice a year with distilled water.",
                "My sister bought a red bicycle last summer.",
                "Prices rose faster than wages in most countries.", "Close the valve before you replace the filter.",
            ]
        ),
        (
            "de",
            [
                "Der Spiegel muss zweimal im Jahr gereinigt werden.",
                "Meine Schwester hat letzten Sommer ein rotes Fahrrad gekauft.",
                "In den meisten Ländern stiegen die Preise schneller als die Löhne.",
                "Vor dem Austausch des Filters ist das Ventil zu schließen.",
            ]
        ),
        (
            "fr",
            [
                "Le miroir doit être nettoyé deux fois par an.", "Ma sœur a acheté un vélo rouge l'été dernier.",
                "Les prix ont augmenté plus vite que les salaires dans la plupart des pays.",
                "Fermez la vanne avant de remplacer le filtre.",
            ]
        ),
        (
            "es",
            [
                "El espejo debe limpiarse dos veces al año.", "Mi hermana compró una bicicleta roja el verano pasado.",
                "Los precios subieron más rápido que los salarios en la mayoría de los países.",
                "Cierre la válvula antes de cambiar el filtro.",
            ]
        ),
        (
            "pt",
            [
                "O espelho deve ser limpo duas vezes por ano.",
                "A minha irmã comprou uma bicicleta vermelha no verão passado.",
                "Os preços subiram mais depressa do que os salários na maioria dos países.",
                "Feche a válvula antes de substituir o filtro.",
            ]
        ),
        (
            "it",
            [
                "Lo specchio deve essere pulito due volte all'anno.",
                "Mia sorella ha comprato una bicicletta rossa l'estate scorsa.",
                "I prezzi sono aumentati più in fretta dei salari nella maggior parte dei paesi.",
                "Chiudere la valvola prima di sostituire il filtro.",
            ]
        ),
        (
            "nl",
            [
                "De spiegel moet twee keer per jaar worden schoongemaakt.",
                "Mijn zus heeft vorige zomer een rode fiets gekocht.",
                "In de meeste landen stegen de prijzen sneller dan de lonen.",
                "Sluit de klep voordat u het filter vervangt.",
            ]
        ),
        (
            "sv",
            [
                "Spegeln måste rengöras två gånger om året.", "Min syster köpte en röd cykel förra sommaren.",
                "Priserna steg snabbare än lönerna i de flesta länder.", "Stäng ventilen innan du byter filtret.",
            ]
        ),
        (
            "da",
            [
                "Spejlet skal renses to gange om året.", "Min søster købte en rød cykel sidste sommer.",
                "Priserne steg hurtigere end lønningerne i de fleste lande.",
                "Luk ventilen, før du udskifter filteret.",
            ]
        ),
        (
            "nb",
            [
                "Speilet må rengjøres to ganger i året.", "Søsteren min kjøpte en rød sykkel i fjor sommer.",
                "Prisene steg raskere enn lønningene i de fleste land.", "Steng ventilen før du bytter filteret.",
            ]
        ),
        (
            "fi",
            [
                "Peili on puhdistettava kaksi kertaa vuodessa.", "Siskoni osti viime kesänä punaisen polkupyörän.",
                "Hinnat nousivat palkkoja nopeammin useimmissa maissa.",
                "Sulje venttiili ennen suodattimen vaihtamista.",
            ]
        ),
        (
            "pl",
            [
                "Lustro należy czyścić dwa razy w roku.", "Moja siostra kupiła w zeszłym roku czerwony rower.",
                "W większości krajów ceny rosły szybciej niż płace.", "Przed wymianą filtra należy zamknąć zawór.",
            ]
        ),
        (
            "cs",
            [
                "Zrcadlo se musí čistit dvakrát ročně.", "Moje sestra si loni v létě koupila červené kolo.",
                "Ceny rostly ve většině zemí rychleji než mzdy.", "Před výměnou filtru zavřete ventil.",
            ]
        ),
        (
            "hu",
            [
                "A tükröt évente kétszer meg kell tisztítani.", "A nővérem tavaly nyáron vett egy piros biciklit.",
                "Az árak a legtöbb országban gyorsabban nőttek, mint a bérek.",
                "Zárja el a szelepet, mielőtt kicseréli a szűrőt.",
            ]
        ),
        (
            "ro",
            [
                "Oglinda trebuie curățată de două ori pe an.", "Sora mea și-a cumpărat o bicicletă roșie vara trecută.",
                "Prețurile au crescut mai repede decât salariile în majoritatea țărilor.",
                "Închideți robinetul înainte de a înlocui filtrul.",
            ]
        ),
        (
            "tr",
            [
                "Ayna yılda iki kez temizlenmelidir.", "Kız kardeşim geçen yaz kırmızı bir bisiklet aldı.",
                "Çoğu ülkede fiyatlar ücretlerden daha hızlı yükseldi.", "Filtreyi değiştirmeden önce vanayı kapatın.",
            ]
        ),
        (
            "id",
            [
                "Cermin harus dibersihkan dua kali setahun.", "Kakak saya membeli sepeda merah musim panas yang lalu.",
                "Harga naik lebih cepat daripada upah di kebanyakan negara.", "Tutup katup sebelum mengganti saringan.",
            ]
        ),
        (
            "vi",
            [
                "Gương phải được lau chùi hai lần một năm.",
                "Chị tôi mua một chiếc xe đạp màu đỏ vào mùa hè năm ngoái.",
                "Giá cả tăng nhanh hơn tiền lương ở hầu hết các nước.", "Đóng van lại trước khi thay bộ lọc.",
            ]
        ),
        (
            "ru",
            [
                "Зеркало нужно чистить два раза в год.", "Моя сестра прошлым летом купила красный велосипед.",
                "Цены росли быстрее зарплат в большинстве стран.", "Закройте клапан, прежде чем менять фильтр.",
            ]
        ),
        (
            "uk",
            [
                "Дзеркало треба чистити двічі на рік.", "Моя сестра минулого літа купила червоний велосипед.",
                "Ціни зростали швидше за зарплати в більшості країн.", "Закрийте клапан, перш ніж міняти фільтр.",
            ]
        ),
        (
            "bg",
            [
                "Огледалото трябва да се почиства два пъти годишно.",
                "Сестра ми си купи червен велосипед миналото лято.",
                "Цените растяха по-бързо от заплатите в повечето страни.",
                "Затворете клапана, преди да смените филтъра.",
            ]
        ),
        (
            "ar",
            [
                "يجب تنظيف المرآة مرتين في السنة.", "اشترت أختي دراجة حمراء في الصيف الماضي.",
                "أغلق الصمام قبل تغيير المرشح.",
            ]
        ),
        (
            "fa",
            [
                "آینه را باید سالی دو بار تمیز کرد.", "خواهرم تابستان گذشته یک دوچرخه قرمز خرید.",
                "پیش از تعویض فیلتر شیر را ببندید.",
            ]
        ),
        ("el", ["Ο καθρέφτης πρέπει να καθαρίζεται δύο φορές τον χρόνο."]),
        ("he", ["יש לנקות את המראה פעמיים בשנה."]),
        ("hi", ["दर्पण को वर्ष में दो बार साफ़ किया जाना चाहिए।"]),
        ("th", ["ต้องทำความสะอาดกระจกปีละสองครั้ง"]),
        ("ja", ["鏡は年に二回掃除しなければなりません。", "フィルターを交換する前にバルブを閉めてください。"]),
        ("zh", ["镜子每年必须清洁两次。", "更换滤芯之前请关闭阀门。"]),
        ("ko", ["거울은 일 년에 두 번 닦아야 합니다."]),
    ]
}

/// Porter's first stemmer with NLTK's extensions, which published ROUGE figures use.
///
/// The extensions: a table of irregular words; `ies` and `ied` keep an e in words of four letters (`dies`, `died`); y
/// becomes i only after a consonant that is not the first letter; `alli` is removed before `(a)bli`; `fulli` and
/// `logi`; a stem of a vowel and a consonant counts as ending in consonant, vowel, consonant. Source: Porter, Program
/// 14(3), 1980; nltk.stem.porter, mode NLTK_EXTENSIONS. `SearchIndexes` has Porter's second stemmer, which gives other
/// stems.
package struct PorterStemmer {
    private static let irregular = [
        "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
        "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
        "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
    ]
    private static func bytes(_ rules: [(String, String)]) -> [(end: [UInt8], with: [UInt8])] {
        rules.map { (Array($0.utf8), Array($1.utf8)) }
    }
    private static let second = bytes([
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
        ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
        ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
        ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
    ])
    private static let third = bytes([
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
    ])
    private static let fourth = [
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
        "iti", "ous", "ive", "ize",
    ].map { Array($0.utf8) }

    private var word: [UInt8]

    /// Returns the stem of a word of lowercase ASCII letters and digits.
    package static func stem(_ word: String) -> String {
        if let stem = irregular[word] { return stem }
        guard word.utf8.count > 2 else { return word }
        var stemmer = PorterStemmer(word: Array(word.utf8))
        stemmer.plural()
        stemmer.participle()
        stemmer.finalY()
        stemmer.doubleSuffix()
        stemmer.simpleSuffix()
        stemmer.longSuffix()
        stemmer.finalE()
        stemmer.finalL()
        return String(decoding: stemmer.word, as: UTF8.self)
    }

    private func ends(_ suffix: some Collection<UInt8>) -> Bool {
        word.count >= suffix.count && word.suffix(suffix.count).elementsEqual(suffix)
    }
    private func ends(_ suffix: String) -> Bool { ends(suffix.utf8) }
    private mutating func replace(_ count: Int, _ with: String) {
        word.removeLast(count)
        word += Array(with.utf8)
    }

    /// Returns which letters are consonants: a y is one if it is the first letter or follows a vowel.
    private static func consonants(_ letters: some Collection<UInt8>) -> [Bool] {
        var flags: [Bool] = []
        for letter in letters {
            switch letter {
            case 0x61, 0x65, 0x69, 0x6F, 0x75: flags.append(false)
            case 0x79: flags.append(!(flags.last ?? false))
            default: flags.append(true)
            }
        }
        return flags
    }

    /// Returns how often a vowel is followed by a consonant, without the last `count` letters.
    private func measure(without count: Int) -> Int {
        let flags = Self.consonants(word.dropLast(count))
        return zip(flags, flags.dropFirst()).count { !$0 && $1 }
    }

    private static func endsShort(_ letters: some BidirectionalCollection<UInt8>) -> Bool {
        let flags = consonants(letters)
        let end = flags.count
        if end == 2 { return !flags[0] && flags[1] }
        guard end >= 3, flags[end - 3], !flags[end - 2], flags[end - 1], let last = letters.last else { return false }
        return last != 0x77 && last != 0x78 && last != 0x79
    }

    private mutating func plural() {
        if ends("ies"), word.count == 4 {
            replace(3, "ie")
        } else if ends("sses") {
            replace(2, "")
        } else if ends("ies") {
            replace(3, "i")
        } else if !ends("ss"), ends("s") {
            replace(1, "")
        }
    }

    private mutating func participle() {
        if ends("ied") { return replace(3, word.count == 4 ? "ie" : "i") }
        if ends("eed") {
            if measure(without: 3) > 0 { replace(1, "") }
            return
        }
        let count = ends("ed") ? 2 : ends("ing") ? 3 : 0
        guard count > 0, Self.consonants(word.dropLast(count)).contains(false) else { return }
        word.removeLast(count)
        if ends("at") || ends("bl") || ends("iz") {
            word.append(0x65)
        } else if word.count >= 2, word[word.count - 1] == word[word.count - 2], Self.consonants(word).last == true {
            if ![0x6C, 0x73, 0x7A].contains(word[word.count - 1]) { word.removeLast() }
        } else if measure(without: 0) == 1, Self.endsShort(word) {
            word.append(0x65)
        }
    }

    private mutating func finalY() {
        if ends("y"), word.count > 2, Self.consonants(word.dropLast()).last == true { replace(1, "i") }
    }

    /// Applies the first suffix that matches, whether its condition holds or not.
    private mutating func apply(_ rules: [(end: [UInt8], with: [UInt8])]) -> Bool {
        guard let rule = rules.first(where: { ends($0.end) }) else { return false }
        if measure(without: rule.end.count) > 0 {
            word.removeLast(rule.end.count)
            word += rule.with
        }
        return true
    }

    private mutating func doubleSuffix() {
        if ends("alli"), measure(without: 4) > 0 { replace(4, "al") }
        if apply(Self.second) { return }
        if ends("logi"), measure(without: 3) > 0 { replace(4, "log") }
    }

    private mutating func simpleSuffix() { _ = apply(Self.third) }

    private mutating func longSuffix() {
        guard let suffix = Self.fourth.first(where: { ends($0) }), measure(without: suffix.count) > 1 else { return }
        if suffix == Array("ion".utf8) {
            let before = word[word.count - 4]
            guard before == 0x73 || before == 0x74 else { return }
        }
        word.removeLast(suffix.count)
    }

    private mutating func finalE() {
        guard ends("e") else { return }
        let measure = measure(without: 1)
        if measure > 1 || (measure == 1 && !Self.endsShort(word.dropLast())) { word.removeLast() }
    }

    private mutating func finalL() {
        if ends("ll"), measure(without: 1) > 1 { word.removeLast() }
    }
}

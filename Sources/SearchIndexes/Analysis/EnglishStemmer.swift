/// The Snowball project's English stemmer (Porter 2) as its third version defines it.
///
/// Suffixes are taken off in five steps, each only within regions of the word: R1 is what follows the first consonant
/// after a vowel, R2 the same within R1. What is not ASCII counts as a consonant.
/// Source: snowballstem.org/algorithms/english/stemmer.html.
struct EnglishStemmer {
    private(set) var word: [UInt8] = []
    private var r1 = 0
    private var r2 = 0
    private var hasConsonantY = false

    private static let whole: [String: String] = [
        "skis": "ski", "skies": "sky", "idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli",
        "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas",
        "cosmos": "cosmos", "bias": "bias", "andes": "andes",
    ]
    /// Beginnings after which R1 begins at once.
    private static let beginnings = [
        "arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers",
    ].map { Array($0.utf8) }
    private static let notParticiples = ["inn", "out", "cann", "herr", "earr", "even"].map { Array($0.utf8) }

    /// Leaves the stem of a lower-cased word in ``word``.
    mutating func stem(_ bytes: UnsafeBufferPointer<UInt8>) {
        word.removeAll(keepingCapacity: true)
        word.append(contentsOf: bytes)
        if word.count <= 6, let stem = Self.whole[String(decoding: word, as: UTF8.self)] {
            word.removeAll(keepingCapacity: true)
            word.append(contentsOf: stem.utf8)
        } else if bytes.lazy.filter({ $0 & 0xC0 != 0x80 }).count > 2 {
            prepare()
            removePlural()
            removeParticiple()
            replaceY()
            replaceDouble()
            replaceSimple()
            removeLong()
            removeLast()
            if hasConsonantY { for place in word.indices where word[place] == 0x59 { word[place] = 0x79 } }
        }
    }

    /// Marks each y that is a consonant as Y, and finds the regions.
    private mutating func prepare() {
        if word[0] == 0x27 { word.removeFirst() }
        hasConsonantY = false
        for place in word.indices where word[place] == 0x79 && (place == 0 || isVowel(place - 1)) {
            word[place] = 0x59
            hasConsonantY = true
        }
        r1 = word.count
        r2 = word.count
        if let beginning = Self.beginnings.first(where: { word.starts(with: $0) }) {
            r1 = beginning.count
        } else {
            r1 = afterConsonant(from: 0)
        }
        r2 = afterConsonant(from: r1)
    }

    private func afterConsonant(from start: Int) -> Int {
        var place = start
        while place < word.count, !isVowel(place) { place += 1 }
        while place < word.count, isVowel(place) { place += 1 }
        guard place < word.count else { return place }
        repeat { place += 1 } while place < word.count && word[place] & 0xC0 == 0x80
        return place
    }

    private func isVowel(_ place: Int) -> Bool {
        switch word[place] {
        case 0x61, 0x65, 0x69, 0x6F, 0x75, 0x79: true
        default: false
        }
    }

    private func hasVowel(before end: Int) -> Bool { (0..<max(end, 0)).contains { isVowel($0) } }

    private func ends(_ suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard word.count >= count else { return false }
        for offset in 0..<count where word[word.count - count + offset] != suffix.utf8Start[offset] { return false }
        return true
    }

    private mutating func cut(_ count: Int, _ ending: StaticString = "") {
        word.removeLast(count)
        for offset in 0..<ending.utf8CodeUnitCount { word.append(ending.utf8Start[offset]) }
    }

    /// Whether the first `count` letters end in a short syllable.
    private func endsShort(_ count: Int) -> Bool {
        if count >= 4, word[..<count].suffix(4).elementsEqual("past".utf8) { return true }
        guard count > 0 else { return false }
        let last = start(ofCharacterBefore: count)
        guard last > 0, !isVowel(last), isVowel(last - 1) else { return false }
        if last == 1 { return true }
        return !isVowel(last - 2) && word[last] != 0x77 && word[last] != 0x78 && word[last] != 0x59
    }

    private func start(ofCharacterBefore end: Int) -> Int {
        var place = end - 1
        while place > 0, word[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    /// Step 1a, with possessives before it.
    private mutating func removePlural() {
        if ends("'s'") { cut(3) } else if ends("'s") { cut(2) } else if ends("'") { cut(1) }
        if ends("sses") {
            cut(2)
        } else if ends("ied") || ends("ies") {
            cut(3, word.count > 3 && start(ofCharacterBefore: word.count - 3) > 0 ? "i" : "ie")
        } else if ends("s"), !ends("us"), !ends("ss"), hasVowel(before: word.count - 2) {
            cut(1)
        }
    }

    /// Step 1b.
    private mutating func removeParticiple() {
        if ends("eedly") || ends("eed") {
            let count = ends("eed") ? 3 : 5
            let rest = word.count - count
            let stays = count == 3 && ["proc", "exc", "succ"].contains { word[..<rest].elementsEqual($0.utf8) }
            if rest >= r1, !stays { cut(count, "ee") }
            return
        }
        let count = ends("ingly") ? 5 : ends("edly") ? 4 : ends("ing") ? 3 : ends("ed") ? 2 : 0
        guard count > 0 else { return }
        let rest = word.count - count
        if ends("ing") {
            if rest > 1, word[rest - 1] == 0x79, start(ofCharacterBefore: rest - 1) == 0, !isVowel(0) {
                return cut(4, "ie")
            }
            if Self.notParticiples.contains(where: { word[..<rest].elementsEqual($0) }) { return }
        }
        guard hasVowel(before: rest) else { return }
        cut(count)
        if ends("at") || ends("bl") || ends("iz") {
            cut(0, "e")
        } else if let last = word.last, word.count > 1, word[word.count - 2] == last,
            "bdfgmnprt".utf8.contains(last)
        {
            let stays = word.count == 3 && "aeo".utf8.contains(word[0])
            if !stays { cut(1) }
        } else if word.count == r1, endsShort(word.count) {
            cut(0, "e")
        }
    }

    /// Step 1c.
    private mutating func replaceY() {
        guard ends("y") || ends("Y"), word.count > 1, !isVowel(word.count - 2) else { return }
        guard start(ofCharacterBefore: word.count - 1) > 0 else { return }
        cut(1, "i")
    }

    /// Step 2: of the longest suffix that there is, if it is in R1.
    private mutating func replaceDouble() {
        let suffixes: [(StaticString, StaticString)] = [
            ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ization", "ize"), ("ousness", "ous"),
            ("biliti", "ble"), ("lessli", "less"), ("tional", "tion"), ("alism", "al"), ("aliti", "al"),
            ("ation", "ate"), ("entli", "ent"), ("fulli", "ful"), ("iviti", "ive"), ("ogist", "og"), ("ousli", "ous"),
            ("abli", "able"), ("alli", "al"), ("anci", "ance"), ("ator", "ate"), ("enci", "ence"), ("izer", "ize"),
            ("bli", "ble"), ("ogi", "og"), ("li", ""),
        ]
        guard let (suffix, ending) = suffixes.first(where: { ends($0.0) }) else { return }
        let rest = word.count - suffix.utf8CodeUnitCount
        guard rest >= r1 else { return }
        if ends("ogi") { guard rest > 0, word[rest - 1] == 0x6C else { return } }
        if suffix.utf8CodeUnitCount == 2 { guard rest > 0, "cdeghkmnrt".utf8.contains(word[rest - 1]) else { return } }
        cut(suffix.utf8CodeUnitCount, ending)
    }

    /// Step 3.
    private mutating func replaceSimple() {
        let suffixes: [(StaticString, StaticString)] = [
            ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("ative", ""), ("icate", "ic"), ("iciti", "ic"),
            ("ical", "ic"), ("ness", ""), ("ful", ""),
        ]
        guard let (suffix, ending) = suffixes.first(where: { ends($0.0) }) else { return }
        let rest = word.count - suffix.utf8CodeUnitCount
        guard rest >= (ends("ative") ? r2 : r1) else { return }
        cut(suffix.utf8CodeUnitCount, ending)
    }

    /// Step 4.
    private mutating func removeLong() {
        let suffixes: [StaticString] = [
            "ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize",
            "ous",
            "al", "er", "ic",
        ]
        guard let suffix = suffixes.first(where: { ends($0) }) else { return }
        let rest = word.count - suffix.utf8CodeUnitCount
        guard rest >= r2 else { return }
        if ends("ion") { guard rest > 0, word[rest - 1] == 0x73 || word[rest - 1] == 0x74 else { return } }
        cut(suffix.utf8CodeUnitCount)
    }

    /// Step 5.
    private mutating func removeLast() {
        guard let last = word.last else { return }
        let rest = word.count - 1
        if last == 0x65 {
            if rest >= r2 || (rest >= r1 && !endsShort(rest)) { cut(1) }
        } else if last == 0x6C, rest >= r2, rest > 0, word[rest - 1] == 0x6C {
            cut(1)
        }
    }
}

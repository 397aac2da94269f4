internal import SearchIndexes

/// The words, lines and paragraphs of a text, as hashes and lengths.
struct TextStatistics {
    struct Piece {
        var hash: UInt64
        /// Characters, white space at the ends not counted.
        var length: Int
    }

    private(set) var words: [Piece] = []
    private(set) var lines: [Piece] = []
    private(set) var paragraphs: [Piece] = []
    private var characters = 0
    private var lettersWithoutSpaces = 0
    private var letters = 0
    private var hashSigns = 0
    private var ellipses = 0
    private var curlyBrackets = 0
    private var sentences = 0
    private var fillerTexts = 0
    private var alphabeticWords = 0
    private var bulletLines = 0
    private var ellipsisLines = 0
    private var finishedLines = 0
    private var menuWords = 0
    private var stopWordsSeen: Set<UInt64> = []

    /// Up to eight letters of ASCII in lower case, a byte each.
    private static func packed(_ word: String) -> UInt64 { word.utf8.reduce(0) { $0 &<< 8 | UInt64($1) } }

    private static let stopWords = ["the", "be", "to", "of", "and", "that", "have", "with"].map(packed)
    private static let ipsum = packed("ipsum")
    private static let bullets: Set<Unicode.Scalar> = ["•", "‣", "▪", "◦", "●", "-", "*", "–"]
    private static let ends: Set<Unicode.Scalar> = [".", "?", "!", "。", "？", "！", "؟", "।"]
    private static let closers: Set<Unicode.Scalar> = ["\"", "”", "’", "'", ")", "»", "」"]

    init(_ text: String) {
        var paragraph = Piece(hash: 0, length: 0)
        for line in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" }) {
            let piece = read(line)
            if piece.length == 0 {
                if paragraph.length > 0 { paragraphs.append(paragraph) }
                paragraph = Piece(hash: 0, length: 0)
            } else {
                lines.append(piece)
                paragraph.hash = WordHashes.mixed(paragraph.hash ^ piece.hash) &+ 1
                paragraph.length += piece.length
            }
        }
        if paragraph.length > 0 { paragraphs.append(paragraph) }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
    }

    private static func isAlphabetic(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80
            ? (0x61...0x7A).contains(scalar.value | 0x20) : scalar.properties.isAlphabetic
    }

    private static func isLowercase(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? scalar.value >= 0x61 : !scalar.properties.isUppercase
    }

    /// Takes in a line.
    private mutating func read(_ line: Substring.UnicodeScalarView) -> Piece {
        let first = words.count
        var isMenu = true
        var hash: UInt64 = 0
        var length = 0
        for word in line.split(whereSeparator: Self.isSpace) {
            let piece = readWord(word, &isMenu)
            hash = WordHashes.mixed(hash ^ piece.hash) &+ 1
            length += piece.length + (length > 0 ? 1 : 0)
        }
        let count = words.count - first
        guard count > 0 else { return Piece(hash: 0, length: 0) }
        characters += length
        if isMenu || count == 1 { menuWords += count }
        var tail = line.reversed().drop(while: Self.isSpace)
        if tail.first == "…" || tail.prefix(3).elementsEqual(["." as Unicode.Scalar, ".", "."]) { ellipsisLines += 1 }
        tail = tail.drop(while: Self.closers.contains)
        if let last = tail.first, Self.ends.contains(last) || last == "…" { finishedLines += 1 }
        let head = line.drop(while: Self.isSpace)
        if let mark = head.first, Self.bullets.contains(mark), count > 1 { bulletLines += 1 }
        return Piece(hash: hash, length: length)
    }

    /// Takes in a word; `isMenu` stays true while there are but capitals, digits and signs.
    private mutating func readWord(_ word: Substring.UnicodeScalarView, _ isMenu: inout Bool) -> Piece {
        var hash: UInt64 = 0x51
        var length = 0
        var hasLetter = false
        var points = 0
        // The letters as stop words are packed; all bits where there are more than eight, or others.
        var packed: UInt64 = 0
        for scalar in word {
            hash = (hash ^ UInt64(scalar.value)) &* 0xD6E8_FEB8_6659_FD93
            length += 1
            points = scalar == "." ? points + 1 : 0
            if points == 3 { ellipses += 1 }
            switch scalar {
            case "#": hashSigns += 1
            case "…": ellipses += 1
            case "{", "}": curlyBrackets += 1
            default: break
            }
            if Self.isAlphabetic(scalar) {
                hasLetter = true
                letters += 1
                packed = packed &>> 56 != 0 || scalar.value > 0x7F ? .max : packed &<< 8 | UInt64(scalar.value | 0x20)
                if Self.isLowercase(scalar) { isMenu = false }
                if let script = WritingSystem(scalar.value), [.han, .kana, .thai].contains(script) {
                    lettersWithoutSpaces += 1
                }
            } else if Self.ends.contains(scalar), scalar.value > 0x7F {
                sentences += 1
            }
        }
        if let last = word.reversed().drop(while: Self.closers.contains).first, Self.ends.contains(last),
            last.value < 0x80
        {
            sentences += 1
        }
        if hasLetter { alphabeticWords += 1 }
        if Self.stopWords.contains(packed) { stopWordsSeen.insert(packed) }
        if packed == Self.ipsum { fillerTexts += 1 }
        let piece = Piece(hash: WordHashes.mixed(hash), length: length)
        words.append(piece)
        return piece
    }

    /// Returns the value of a measure; `nil` if it does not apply.
    func value(of measure: QualityMeasure, _ language: String?) -> Double? {
        let isSpaced = 2 * lettersWithoutSpaces <= letters
        func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }
        switch measure {
        case .words: return Double(isSpaced ? words.count : letters)
        case .meanWordLength:
            return isSpaced && !words.isEmpty ? share(words.reduce(0) { $0 + $1.length }, words.count) : nil
        case .hashSigns: return isSpaced ? share(hashSigns, words.count) : nil
        case .ellipses: return isSpaced ? share(ellipses, words.count) : nil
        case .bulletLines: return share(bulletLines, lines.count)
        case .ellipsisLines: return share(ellipsisLines, lines.count)
        case .alphabeticWords: return words.isEmpty ? nil : share(alphabeticWords, words.count)
        case .stopWords: return language == "en" ? Double(stopWordsSeen.count) : nil
        case .duplicateLines: return Repetition.duplicates(lines).share
        case .duplicateLineCharacters: return share(Repetition.duplicates(lines).characters, characters)
        case .duplicateParagraphs: return Repetition.duplicates(paragraphs).share
        case .duplicateParagraphCharacters: return share(Repetition.duplicates(paragraphs).characters, characters)
        case .topRun(let size): return isSpaced ? share(Repetition.topRun(words, size), characters) : nil
        case .duplicateRuns(let size): return isSpaced ? share(Repetition.duplicateRuns(words, size), characters) : nil
        case .sentences: return Double(sentences)
        case .finishedLines: return share(finishedLines, lines.count)
        case .fillerText: return Double(fillerTexts)
        case .curlyBrackets: return Double(curlyBrackets)
        case .menuWords: return isSpaced ? share(menuWords, words.count) : nil
        }
    }
}

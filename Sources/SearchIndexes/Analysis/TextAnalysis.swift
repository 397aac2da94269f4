/// An analyzer for use by one thread, with a cache of the words that it has seen.
///
/// Each different word is looked up among the stop words and stemmed once. Terms have numbers in order of appearance.
package final class TextAnalysis {
    /// Maximum number of bytes in a word; longer words are dropped.
    package static let longestWord = 1024
    /// A session that has seen more bytes of words than this forgets them.
    static let memoryLimit = 64 << 20

    package let analyzer: Analyzer
    private let stemmer: WordStemmer?
    private var words = ByteInterner()
    /// Of each known word its term's number, or minus the loss.
    private var outcomes: [Int32] = []
    private(set) var terms = ByteInterner()
    /// The word being read, lower-cased.
    var word: UnsafeMutablePointer<UInt8>
    var wordCount = 0
    /// Characters in ``word``.
    var characters = 0
    /// Where characters begin, in the word and in the text; kept where words are cut further.
    var marks: [(word: Int, text: Int, isCJK: Bool)] = []
    let keepsMarks: Bool

    package init(_ analyzer: Analyzer) {
        self.analyzer = analyzer
        stemmer = analyzer.stemmer.map(WordStemmer.init)
        keepsMarks = analyzer.bigramsOfCJK || analyzer.grams != nil
        word = .allocate(capacity: Self.longestWord + 16)
    }

    deinit { word.deallocate() }

    /// Number of different terms.
    package var termCount: Int { terms.count }
    package var byteCount: Int { words.byteCount + terms.byteCount + outcomes.capacity << 2 }

    /// Returns the bytes of a term, valid until the next text.
    package func withTerm<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(terms[number])
    }

    /// Returns the number of a term that was analyzed elsewhere.
    package func number(of term: UnsafeBufferPointer<UInt8>) -> Int { terms.intern(term) }

    package func term(_ number: Int) -> String { String(decoding: terms[number], as: UTF8.self) }

    /// Forgets all words and begins to count terms again.
    package func forget() {
        words = ByteInterner()
        terms = ByteInterner()
        outcomes = []
    }

    /// Splits a text and calls `body` for each word with its term's number, or minus the loss, and its bytes in the
    /// text.
    @inline(__always)
    package func forEachWord(
        in text: UnsafeBufferPointer<UInt8>, _ body: (_ outcome: Int32, _ start: Int, _ end: Int) -> Void
    ) {
        switch analyzer.splitting {
        case .words: splitWords(text, body)
        case .standard: splitStandard(text, body)
        }
    }

    /// Returns the analysis of each word.
    package func analyze(_ text: String) -> [AnalyzedWord] {
        var text = text
        return text.withUTF8 { bytes in
            var result: [AnalyzedWord] = []
            forEachWord(in: bytes) { outcome, start, end in
                let word = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
                let became: AnalyzedWord.Outcome =
                    outcome >= 0 ? .term(term(Int(outcome))) : .lost(.init(rawValue: -Int(outcome)) ?? .tooLong)
                result.append(AnalyzedWord(bytes: start..<end, word: word, position: result.count, outcome: became))
            }
            return result
        }
    }

    /// Ends the word that is in ``word`` with the text's bytes `start..<end`.
    @inline(__always)
    func finish(
        _ start: Int, _ end: Int, shortest: Int, _ body: (_ outcome: Int32, _ start: Int, _ end: Int) -> Void
    ) {
        if keepsMarks {
            cut(start, end, shortest: shortest, body)
        } else if wordCount > Self.longestWord {
            body(-Int32(AnalyzedWord.Loss.tooLong.rawValue), start, end)
        } else if characters < shortest {
            body(-Int32(AnalyzedWord.Loss.tooShort.rawValue), start, end)
        } else {
            body(outcome(UnsafeBufferPointer(start: word, count: wordCount)), start, end)
        }
        wordCount = 0
        characters = 0
    }

    /// Words of several scripts and words that become grams: each part goes its way.
    @inline(never)
    private func cut(
        _ start: Int, _ end: Int, shortest: Int, _ body: (_ outcome: Int32, _ start: Int, _ end: Int) -> Void
    ) {
        defer { marks.removeAll(keepingCapacity: true) }
        guard wordCount <= Self.longestWord else {
            return body(-Int32(AnalyzedWord.Loss.tooLong.rawValue), start, end)
        }
        let last = marks.count
        func bytes(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
            let first = marks[from].word
            let after = to < last ? marks[to].word : wordCount
            return UnsafeBufferPointer(start: word + first, count: after - first)
        }
        func place(_ index: Int) -> Int { index < last ? marks[index].text : end }
        func windows(_ run: Range<Int>, of size: Int) {
            for first in run.lowerBound...max(run.lowerBound, run.upperBound - size) {
                let after = min(first + size, run.upperBound)
                body(outcome(bytes(first, after)), place(first), place(after))
            }
        }
        var first = 0
        while first < last {
            let isCJK = analyzer.bigramsOfCJK && marks[first].isCJK
            var after = first + 1
            while after < last, (analyzer.bigramsOfCJK && marks[after].isCJK) == isCJK { after += 1 }
            let run = first..<after
            if isCJK {
                windows(run, of: 2)
            } else if run.count < shortest {
                body(-Int32(AnalyzedWord.Loss.tooShort.rawValue), place(first), place(after))
            } else if let grams = analyzer.grams {
                let sizes = grams.clamped(to: min(grams.lowerBound, run.count)...max(run.count, grams.lowerBound))
                for size in sizes { windows(run, of: size) }
            } else {
                body(outcome(bytes(first, after)), place(first), place(after))
            }
            first = after
        }
    }

    /// Returns the term number of a word, or minus the loss.
    @inline(__always)
    private func outcome(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        let number = words.intern(bytes)
        if number < outcomes.count { return outcomes[number] }
        let outcome = learn(bytes)
        outcomes.append(outcome)
        return outcome
    }

    @inline(never)
    private func learn(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        if let stopWords = analyzer.stopWords, stopWords.contains(bytes) {
            return -Int32(AnalyzedWord.Loss.stopWord.rawValue)
        }
        guard let stemmer else { return Int32(terms.intern(bytes)) }
        // Porter's first stemmer leaves nothing of `s`, which stays a word then.
        return stemmer.stem(bytes) { Int32(terms.intern($0.isEmpty ? bytes : $0)) }
    }
}

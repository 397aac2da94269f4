internal import Glibc
internal import SearchIndexes

/// The language that a text is most likely in.
public struct LanguageGuess: Hashable, Sendable {
    /// ISO 639-1 code, such as `en`, `de`, `nb`, or `zh`.
    public var code: String
    /// Confidence among the known languages, 0 to 1; for languages identified by script, the script's share of the
    /// letters.
    public var confidence: Double

    public init(code: String, confidence: Double) {
        self.code = code
        self.confidence = confidence
    }
}

/// Tells the language of a text: by its script, and where languages share one, by how often letters and runs of two and
/// three come.
///
/// ```swift
/// LanguageIdentifier.standard.identify("Der Spiegel wird morgen gereinigt.")?.code        // "de"
/// ```
/// The runs are those of a short text a language, counted once and smoothed (naive Bayes). The first 4,000 letters
/// decide. A text with fewer than twelve letters has no language; neither has one whose runs are in none of the texts,
/// as code and tables of numbers.
///
/// Source of the method: Dunning, "Statistical identification of language", 1994.
public struct LanguageIdentifier: Sendable {
    /// The languages of one script and what each run is worth.
    private struct Profiles: Sendable {
        var codes: [String] = []
        /// `[bucket, language]`: ln of a run's probability among the runs of its length.
        var weights: [Float] = []
        /// `[bucket, language]`: whether the language's text has the run.
        var isKnown: [Bool] = []

        static let buckets = 8_192

        init(_ samples: [(code: String, text: String)]) {
            codes = samples.map(\.code)
            weights = [Float](repeating: 0, count: Self.buckets * codes.count)
            isKnown = [Bool](repeating: false, count: weights.count)
            for (language, sample) in samples.enumerated() {
                var counts = [Float](repeating: 0, count: Self.buckets)
                var total: Float = 0
                LanguageIdentifier.forEachRun(of: sample.text) { bucket, length in
                    counts[bucket] += 1
                    total += length == 3 ? 1 : 0
                }
                for bucket in 0..<Self.buckets {
                    // What a run that was not seen counts for: short ones would have been seen.
                    let length = LanguageIdentifier.length(of: bucket)
                    let unseen: Float = length == 3 ? 0.1 : 0.2
                    let size: Float = length == 3 ? 6_144 : length == 2 ? 1_000 : 60
                    isKnown[bucket * codes.count + language] = counts[bucket] > 0
                    weights[bucket * codes.count + language] =
                        logf(counts[bucket] + unseen) - logf(total + unseen * size)
                }
            }
        }
    }

    /// Returns the length of the runs in a bucket: the lower quarter of the buckets is for letters and pairs.
    private static func length(of bucket: Int) -> Int { bucket >= 2_048 ? 3 : bucket >= 256 ? 2 : 1 }

    private let profiles: [WritingSystem: Profiles]

    public init() {
        profiles = [
            .latin: Profiles(LanguageSamples.latin), .cyrillic: Profiles(LanguageSamples.cyrillic),
            .arabic: Profiles(LanguageSamples.arabic),
        ]
    }

    /// Shared identifier.
    public static let standard = LanguageIdentifier()

    /// The codes that it can answer, sorted.
    public var languages: [String] {
        (profiles.values.flatMap(\.codes) + WritingSystem.allCases.compactMap(\.language)).sorted()
    }

    private static let mostLetters = 4_000

    /// Returns the language of a text; `nil` if it is uncertain.
    public func identify(_ text: String) -> LanguageGuess? {
        var letters = [Int](repeating: 0, count: WritingSystem.allCases.count)
        var count = 0
        for scalar in text.unicodeScalars {
            guard let script = WritingSystem(scalar.value) else { continue }
            letters[script.rawValue] += 1
            count += 1
            if count == Self.mostLetters { break }
        }
        // Japanese is written with ideographs between its kana.
        let (kana, han) = (letters[WritingSystem.kana.rawValue], letters[WritingSystem.han.rawValue])
        if kana > 0, 8 * kana >= han {
            letters[WritingSystem.kana.rawValue] += han
            letters[WritingSystem.han.rawValue] = 0
        }
        // A character of these says as much as three letters of the others.
        let dense: Set<WritingSystem> = [.kana, .han, .hangul]
        let best = WritingSystem.allCases.map { (key: $0, value: letters[$0.rawValue]) }.max { $0.value < $1.value }
        guard let best, best.value >= (dense.contains(best.key) ? 4 : 12) else { return nil }
        let share = Double(best.value) / Double(count)
        if let code = best.key.language { return LanguageGuess(code: code, confidence: share) }
        guard let profiles = profiles[best.key] else { return nil }
        return decide(text, profiles, share)
    }

    private func decide(_ text: String, _ profiles: Profiles, _ share: Double) -> LanguageGuess? {
        let languages = profiles.codes.count
        var scores = [Float](repeating: 0, count: languages)
        var runs = 0
        scores.withUnsafeMutableBufferPointer { scores in
            profiles.weights.withUnsafeBufferPointer { weights in
                Self.forEachRun(of: text) { bucket, length in
                    for language in 0..<languages { scores[language] += weights[bucket * languages + language] }
                    runs += length == 3 ? 1 : 0
                }
            }
        }
        guard runs > 0, let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        var known = 0
        Self.forEachRun(of: text) { bucket, length in
            if length == 3, profiles.isKnown[bucket * languages + best] { known += 1 }
        }
        guard Double(known) >= Self.leastKnown * Double(runs) else { return nil }
        // Runs overlap, so that they say a fifth of what independent ones would.
        let rest = scores.indices.reduce(0.0) { $0 + exp(Double(scores[$1] - scores[best]) / 5) }
        return LanguageGuess(code: profiles.codes[best], confidence: share / rest)
    }

    /// Of the runs of three, how many must be in the language's text: sentences have a fifth and more, noise less.
    private static let leastKnown = 0.15

    /// Calls `body` with the bucket and the length of every run of one to three letters; a border of a word is a
    /// letter.
    private static func forEachRun(of text: String, _ body: (_ bucket: Int, _ length: Int) -> Void) {
        var (first, second): (UInt32, UInt32) = (0x20, 0x20)
        var letters = 0
        func take(_ letter: UInt32) {
            if second == 0x20, letter == 0x20 { return }
            let (a, b, c) = (UInt64(first), UInt64(second), UInt64(letter))
            if letter != 0x20 { body(Int(WordHashes.mixed(c) & 255), 1) }
            body(256 + Int(WordHashes.mixed(b &<< 21 ^ c ^ 1 &<< 62) % 1_792), 2)
            if second != 0x20 { body(2_048 + Int(WordHashes.mixed(a &<< 42 ^ b &<< 21 ^ c) % 6_144), 3) }
            (first, second) = (second, letter)
        }
        for scalar in text.unicodeScalars {
            switch Letter(scalar.value) {
            case .part(let letter) where !(0x30...0x39).contains(letter):
                take(letter)
                letters += 1
            case .mark: break
            default: take(0x20)
            }
            if letters == mostLetters { break }
        }
        take(0x20)
    }
}

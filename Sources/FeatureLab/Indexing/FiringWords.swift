/// A description of what a feature fires on, derived from its strongest examples: `fires on planets, moons`.
///
/// The first candidates are the words under the peaks, then the tokens, then the tokens before or after the peaks. The
/// first kind of which at most three cover most examples wins. If no kind does, the most frequent words are listed with
/// an ellipsis.
package struct FiringWords: Hashable {
    /// `fires on planets, moons`, `fires after lives in`, `fires on Lumira, Korintha, …`.
    package var text: String
    /// Share of the strongest examples that the words cover, 0 ... 1. Fewer than `fewest` examples lower it, since a
    /// word covers one example by chance.
    package var clarity: Double

    /// An example as token texts.
    package struct Example {
        package var texts: [String]
        package var peak: Int

        package init(texts: [String], peak: Int) {
            self.texts = texts
            self.peak = peak
        }
    }

    private static let fewest = 8
    private static let most = 3
    /// Share of the examples that three words must cover.
    private static let needed = 0.6

    /// Returns `nil` without examples.
    package init?(_ examples: [Example]) {
        let examples = examples.filter { $0.texts.indices.contains($0.peak) }
        guard !examples.isEmpty else { return nil }
        let kinds: [(lead: String, name: (Example) -> String?)] = [
            ("on", \.word), ("on", \.token), ("after", \.before), ("before", \.after),
        ]
        let all = kinds.map { kind in (kind.lead, Count(examples.map(kind.name))) }
        let clear = all.first { $0.1.share >= Self.needed }
        guard let (lead, count) = clear ?? all.first(where: { !$0.1.names.isEmpty }) else { return nil }
        let ellipsis = clear == nil ? ", …" : ""
        text = "fires \(lead) " + count.names.map(Self.quoted).joined(separator: ", ") + ellipsis
        clarity = count.share * Double(min(examples.count, Self.fewest)) / Double(Self.fewest)
    }

    /// Punctuation is quoted, so a comma that is a name differs from one between names.
    private static func quoted(_ name: String) -> String {
        name.contains { $0.isLetter || $0.isNumber } ? name : "\"\(name)\""
    }

    /// The most frequent names, and the share of examples that they cover.
    private struct Count {
        var names: [String] = []
        var share = 0.0

        init(_ all: [String?]) {
            var counts: [String: Int] = [:]
            for case let name? in all { counts[name, default: 0] += 1 }
            let order = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            // A name seen once says nothing, unless there is only one example.
            let chosen = order.prefix(FiringWords.most).filter { $0.value > 1 || all.count < 3 }
            names = (chosen.isEmpty ? Array(order.prefix(FiringWords.most)) : Array(chosen)).map(\.key)
            share = Double(chosen.reduce(0) { $0 + $1.value }) / Double(max(1, all.count))
        }
    }
}

extension FiringWords.Example {
    /// The whole word around the peak.
    var word: String? {
        var (first, last) = (peak, peak)
        while first > 0, Self.isJoined(texts[first - 1], texts[first]) { first -= 1 }
        while last + 1 < texts.count, Self.isJoined(texts[last], texts[last + 1]) { last += 1 }
        // A "word" of many tokens is a number or a text without spaces, and is skipped.
        guard last - first < 6 else { return nil }
        return Self.name(texts[first...last].joined())
    }

    /// The token at the peak, with a hyphen if it is part of a word.
    var token: String? {
        guard let name = Self.name(texts[peak]) else { return nil }
        let isEnd = peak > 0 && Self.isJoined(texts[peak - 1], texts[peak])
        let isBeginning = peak + 1 < texts.count && Self.isJoined(texts[peak], texts[peak + 1])
        return (isEnd ? "-" : "") + name + (isBeginning ? "-" : "")
    }

    /// The two tokens before the peak.
    var before: String? { peak < 2 ? nil : Self.name(texts[(peak - 2)..<peak].joined()) }

    /// The token after the peak.
    var after: String? { peak + 1 < texts.count ? Self.name(texts[peak + 1]) : nil }

    private static func isJoined(_ left: String, _ right: String) -> Bool {
        guard let last = left.last, let first = right.first else { return false }
        return (last.isLetter || last.isNumber) && (first.isLetter || first.isNumber)
    }

    /// Trims spaces and shows a line break as a sign; `nil` if nothing is left.
    private static func name(_ text: String) -> String? {
        let shown = String(text.map { $0.isNewline ? "↵" : $0 })
        let bare = shown.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return bare.isEmpty ? nil : String(bare)
    }
}

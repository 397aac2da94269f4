internal import Hashing
internal import SearchIndexes

/// What a text contains, as numbers below 2²⁴: its words, its pairs of words, and the runs of four and five characters
/// of each word with its borders. Two features that meet in a number are taken for one.
struct HashedFeatures {
    /// The kinds of features, and what each weighs: chosen by nDCG on two collections, where all weights near them are
    /// as good.
    enum Kind: UInt32, CaseIterable {
        case word, pair, fourCharacters, fiveCharacters

        var weight: Float {
            switch self {
            case .word: 1
            case .pair: 0.4
            case .fourCharacters, .fiveCharacters: 0.3
            }
        }
    }

    static let bits: UInt32 = 24
    static var count: Int { 1 << bits }
    /// Maximum number of features per text.
    static let mostOfOneText = 8_192

    /// The features of the last text, each once in the order in which they came, and how often.
    private(set) var features: [UInt32] = []
    private(set) var frequencies: [UInt32] = []

    /// Open addressing by number; a place belongs to this text where its stamp is the text's.
    private var keys = [UInt32](repeating: 0, count: 4_096)
    private var places = [UInt32](repeating: 0, count: 4_096)
    private var stamps = [UInt32](repeating: 0, count: 4_096)
    private var stamp: UInt32 = 0
    private var letters: [UInt32] = []

    static func kind(_ feature: UInt32) -> Kind { Kind(rawValue: feature & 3) ?? .word }

    /// Takes in a text.
    mutating func read(_ text: String) {
        features.removeAll(keepingCapacity: true)
        frequencies.removeAll(keepingCapacity: true)
        stamp &+= 1
        if stamp == 0 {
            for index in stamps.indices { stamps[index] = 0 }
            stamp = 1
        }
        var before: UInt64 = 0
        letters.removeAll(keepingCapacity: true)
        letters.append(Self.border)
        for scalar in text.unicodeScalars {
            switch Letter(scalar.value) {
            case .part(let letter): letters.append(letter)
            case .word(let letter):
                endWord(&before)
                letters.append(letter)
                endWord(&before)
            case .mark: break
            case .other: endWord(&before)
            }
            // A word without end is cut: it would have as many features as letters.
            if letters.count > 128 { endWord(&before) }
            if features.count >= Self.mostOfOneText { break }
        }
        endWord(&before)
    }

    private static let border: UInt32 = 0x23

    private mutating func endWord(_ before: inout UInt64) {
        guard letters.count > 1 else { return }
        letters.append(Self.border)
        let word = hash(0..<letters.count, 0x51)
        add(word, .word)
        if before != 0 { add(before &* SplitMix64.gamma ^ word, .pair) }
        before = word
        if letters.count >= 4 {
            for start in 0...letters.count - 4 { add(hash(start..<start + 4, 0x52), .fourCharacters) }
        }
        if letters.count >= 5 {
            for start in 0...letters.count - 5 { add(hash(start..<start + 5, 0x53), .fiveCharacters) }
        }
        letters.removeAll(keepingCapacity: true)
        letters.append(Self.border)
    }

    private func hash(_ range: Range<Int>, _ seed: UInt64) -> UInt64 {
        var hash = seed
        letters.withUnsafeBufferPointer { letters in
            for index in range { hash = (hash ^ UInt64(letters[index])) &* 0xD6E8_FEB8_6659_FD93 }
        }
        return hash
    }

    private mutating func add(_ hash: UInt64, _ kind: Kind) {
        let mixed = UInt32(truncatingIfNeeded: WordHashes.mixed(hash) &>> 32)
        let feature = (mixed & ((1 &<< Self.bits) &- 1) & ~3) | kind.rawValue
        if 2 * (features.count + 1) > keys.count { grow() }
        let place = place(of: feature)
        if stamps[place] == stamp {
            frequencies[Int(places[place])] &+= 1
        } else {
            claim(place, feature, at: features.count)
            features.append(feature)
            frequencies.append(1)
        }
    }

    private func place(of feature: UInt32) -> Int {
        let mask = keys.count - 1
        var place = Int((feature &* 0x9E37_79B9) &>> 8) & mask
        while stamps[place] == stamp, keys[place] != feature { place = (place + 1) & mask }
        return place
    }

    private mutating func claim(_ place: Int, _ feature: UInt32, at index: Int) {
        keys[place] = feature
        places[place] = UInt32(index)
        stamps[place] = stamp
    }

    private mutating func grow() {
        let count = 2 * keys.count
        keys = [UInt32](repeating: 0, count: count)
        places = [UInt32](repeating: 0, count: count)
        stamps = [UInt32](repeating: 0, count: count)
        stamp = 1
        for (index, feature) in features.enumerated() { claim(place(of: feature), feature, at: index) }
    }
}
